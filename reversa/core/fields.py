"""The one field table: every key of the record, its type, vocabulary and meaning (registry.md 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How the text of a value is typed."""

    TEXT = "text"
    INT = "integer"
    BOOL = "boolean"
    DATE = "date"
    ENUM = "one of a list of words"
    MAP = "mapping"
    LIST = "list"
    ANY = "anything"


@dataclass(frozen=True, slots=True)
class Field:
    """A key of the record; `fields` are the known keys of a mapping, `item` describes the members of a list.

    `values` is the closed vocabulary of an ENUM; `taxonomy` marks a value of `taxonomy.yaml`; `block` an optional
    block; `renamed` the other names under which forks of the format write this key; `key` the member that addresses
    an item in a route such as `change_set[CHG-001]`.
    """

    name: str
    kind: Kind
    doc: str
    values: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    item: Field | None = None
    nullable: bool = False
    block: bool = False
    taxonomy: bool = False
    renamed: tuple[str, ...] = ()
    key: str = ""

    def field(self, name: str) -> Field | None:
        """Give the known key of this mapping called `name`, or None."""
        for known in self.fields:
            if known.name == name:
                return known
        return None


STATUSES = ("open", "active", "resolved")
PHASES = (
    "triaging",
    "mitigating",
    "reproducing",
    "diagnosing",
    "planning",
    "testing",
    "patching",
    "delivering",
    "observing",
    "awaiting-human",
)
SEVERITIES = ("critical", "high", "medium", "low")
PRIORITIES = ("P0", "P1", "P2", "P3")
ORIGINS = (
    "manual-report",
    "github-issue",
    "gitlab-issue",
    "ci-failure",
    "telemetry",
    "alert",
    "support",
    "customer",
    "security-advisory",
    "inspection",
    "other",
)
VISIBILITIES = ("normal", "internal", "restricted")
CLASSIFICATIONS = ("deterministic", "intermittent", "environment-dependent", "not-reproduced", "unknown")
DIRECTIONAL = ("caused-by", "blocked-by", "duplicate-of", "regression-of")
SYMMETRIC = ("related-to", "conflicts-with")
RELATION_TYPES = DIRECTIONAL + SYMMETRIC
INVERSES = {
    "caused-by": "causes",
    "blocked-by": "blocks",
    "duplicate-of": "duplicated-by",
    "regression-of": "regressed-by",
    "related-to": "related-to",
    "conflicts-with": "conflicts-with",
}
RELATION_STATES = ("proposed", "supported", "confirmed", "rejected")
CAUSE_STATES = ("hypothesized", "supported", "confirmed", "rejected")
VERDICTS = ("spec-correta", "spec-desatualizada", "spec-gap")
CHANGE_KINDS = (
    "test",
    "code",
    "configuration",
    "migration",
    "data-repair",
    "dependency",
    "infrastructure",
    "feature-flag",
    "api-contract",
    "cache",
    "observability",
    "specification",
    "documentation",
    "other",
)
POLICIES = ("local-software", "package", "production-service")
RESOLUTION_KINDS = ("fixed", "duplicate", "invalid", "cannot-reproduce", "spec-only", "instrumentation-required")
RISKS = ("baixa", "média", "alta")
CONTROL_MODES = ("supervised", "gated", "autonomous")
LANGUAGES = ("en", "pt", "es")
UNCLASSIFIED = "unclassified"


def _text(name: str, doc: str, *, nullable: bool = False, renamed: tuple[str, ...] = ()) -> Field:
    return Field(name, Kind.TEXT, doc, nullable=nullable, renamed=renamed)


def _texts(name: str, doc: str, renamed: tuple[str, ...] = ()) -> Field:
    return Field(name, Kind.LIST, doc, item=Field("", Kind.TEXT, "One entry."), renamed=renamed)


EVIDENCE = Field(
    "evidence",
    Kind.LIST,
    "What was observed and where: `{ref, observation}`; plain text is read and never rewritten.",
    item=Field(
        "",
        Kind.MAP,
        "One piece of evidence.",
        fields=(
            _text("ref", "A file of the bug's folder, or `path:line` in the project."),
            _text("observation", "What can be seen there."),
        ),
    ),
)

FRONT_MATTER = Field(
    "",
    Kind.MAP,
    "The front matter of a record.",
    fields=(
        Field("schema_version", Kind.INT, "The version of this schema: 1."),
        _text("id", "`BUG-<YYYYMMDD>-<XXXX>`, given once and never changed."),
        Field("display_number", Kind.INT, "A short alias for people; may repeat after a merge."),
        _text("title", "The defect in one line."),
        Field("status", Kind.ENUM, "Where the bug stands.", values=STATUSES),
        Field("phase", Kind.ENUM, "The step of the work; closing keeps the last one.", values=PHASES),
        Field("severity", Kind.ENUM, "The size of the damage.", values=SEVERITIES),
        Field("priority", Kind.ENUM, "The urgency of the fix.", values=PRIORITIES),
        Field("created", Kind.DATE, "The day of registration.", renamed=("created_at",)),
        Field("updated", Kind.DATE, "The day of the last write.", renamed=("updated_at",)),
        Field(
            "origin",
            Kind.MAP,
            "Where the report came from.",
            fields=(
                Field("type", Kind.ENUM, "The kind of source.", values=ORIGINS),
                Field(
                    "external_ref",
                    Kind.MAP,
                    "The report's identity in another system, or null.",
                    nullable=True,
                    fields=(_text("provider", "The system, such as github."), _text("id", "Its identity there.")),
                ),
            ),
        ),
        Field("area", Kind.TEXT, "A term of `taxonomy.yaml`, or unclassified.", taxonomy=True),
        Field("module", Kind.TEXT, "A term of `taxonomy.yaml`, or unclassified.", taxonomy=True),
        Field("feature", Kind.TEXT, "A term of `taxonomy.yaml`, or unclassified.", taxonomy=True),
        _texts("labels", "Free labels; `spec-gap` when no spec defines the behaviour."),
        Field("visibility", Kind.ENUM, "Who may see it in views.", values=VISIBILITIES),
        Field("security_suspected", Kind.BOOL, "Whether this may be a security defect."),
        Field(
            "reproduction",
            Kind.MAP,
            "How reliably the defect shows.",
            fields=(
                Field("classification", Kind.ENUM, "How it reproduces.", values=CLASSIFICATIONS),
                _text("rate", "Failures over attempts, such as 3/20.", nullable=True),
                _texts("suspected_triggers", "What seems to bring an intermittent defect about."),
            ),
        ),
        Field(
            "blocking",
            Kind.LIST,
            "What keeps the work from going on; whether the bug is blocked is derived, never stored.",
            renamed=("blocked_by", "blockers"),
            item=Field(
                "",
                Kind.MAP,
                "One obstacle.",
                fields=(
                    Field("kind", Kind.ENUM, "A bug or something outside.", values=("bug", "external")),
                    _text("target", "The ID of the blocking bug."),
                    _text("reason", "Why it is blocked from outside."),
                    Field("since", Kind.DATE, "Since when.", nullable=True),
                ),
            ),
        ),
        Field(
            "relationships",
            Kind.LIST,
            "Edges to other bugs, each stored once, on the bug that declares it.",
            renamed=("relations", "related"),
            item=Field(
                "",
                Kind.MAP,
                "One edge.",
                key="bug/type",
                fields=(
                    _text("bug", "The ID of the other bug."),
                    Field("type", Kind.ENUM, "What the edge means.", values=RELATION_TYPES),
                    Field("state", Kind.ENUM, "How well it is known.", values=RELATION_STATES),
                    EVIDENCE,
                ),
            ),
        ),
        Field(
            "traceability",
            Kind.MAP,
            "What ties the defect to specification, code and tests.",
            fields=(
                _texts("specs", "Locators `path#anchor` in the effective spec.", renamed=("spec_ref", "spec_refs")),
                _texts("affected_code", "Where the defect shows.", renamed=("code_ref",)),
                Field(
                    "root_cause",
                    Kind.MAP,
                    "Where the defect was born, with how well that is known; filled by the fix.",
                    nullable=True,
                    fields=(
                        Field("state", Kind.ENUM, "How well the cause is known.", values=CAUSE_STATES),
                        _text("hypothesis", "The cause in words.", nullable=True, renamed=("description",)),
                        _texts("causal_path", "The steps from cause to symptom."),
                        EVIDENCE,
                        Field(
                            "code_refs",
                            Kind.LIST,
                            "The code where it was born.",
                            item=Field(
                                "",
                                Kind.MAP,
                                "One place in the code.",
                                fields=(
                                    _text("file", "A path from the project root."),
                                    _text("symbol", "The function or class.", nullable=True),
                                    _text("commit", "The commit that was looked at.", nullable=True),
                                ),
                            ),
                        ),
                    ),
                ),
                _texts("reproduction_tests", "Tests that prove the reported defect."),
                _texts("regression_tests", "Tests that guard what must not break again."),
            ),
        ),
        Field(
            "spec_verdict",
            Kind.ENUM,
            "A person's decision: was the code wrong, the spec outdated, or was there no spec?",
            values=VERDICTS,
            nullable=True,
        ),
        Field(
            "change_set",
            Kind.LIST,
            "The changes that mend the defect; filled by the fix.",
            item=Field(
                "",
                Kind.MAP,
                "One change.",
                key="id",
                fields=(
                    _text("id", "`CHG-001`, counted within the bug."),
                    Field("kind", Kind.ENUM, "What was changed.", values=CHANGE_KINDS),
                    _text("artifact", "The path that was changed."),
                    _text("purpose", "One sentence.", nullable=True),
                    _text("diff", "A path inside the bug's folder.", nullable=True),
                ),
            ),
        ),
        Field("express", Kind.BOOL, "Registered on the short route.", block=True),
        Field(
            "mitigation",
            Kind.MAP,
            "What keeps the damage small meanwhile.",
            block=True,
            fields=(
                _text("kind", "What was done."),
                Field("applied_at", Kind.DATE, "When.", nullable=True),
                Field("temporary", Kind.BOOL, "Whether it must be taken back."),
            ),
        ),
        Field("data_impact", Kind.ANY, "What the defect did to stored data.", block=True),
        Field("data_repair", Kind.ANY, "How the data is mended: cured code is no cured system.", block=True),
        Field(
            "regression_analysis",
            Kind.MAP,
            "When it broke.",
            block=True,
            fields=(
                _text("last_known_good", "The newest commit or version without it.", nullable=True),
                _text("first_known_bad", "The oldest with it.", nullable=True),
                Field("bisect", Kind.ANY, "Whether, or how, it was bisected."),
                _text("culprit_commit", "The commit that brought it.", nullable=True),
            ),
        ),
        Field("versions", Kind.ANY, "The versions that hold or mend the defect.", block=True),
        Field(
            "backports",
            Kind.LIST,
            "The older versions that need the fix.",
            block=True,
            item=Field(
                "",
                Kind.MAP,
                "One version.",
                key="version",
                fields=(
                    _text("version", "The version."),
                    Field("required", Kind.BOOL, "Whether closing waits for it."),
                    Field("released", Kind.BOOL, "Whether it is out."),
                ),
            ),
        ),
        Field("ownership", Kind.ANY, "Who answers for the code, from CODEOWNERS, never invented.", block=True),
        Field(
            "delivery",
            Kind.MAP,
            "How the fix reached its users.",
            block=True,
            fields=(
                _text("branch", "The branch of the fix.", nullable=True),
                _text("pr", "The pull or merge request.", nullable=True),
                _text("ci", "The result of CI.", nullable=True),
                _text("base_commit", "The commit it starts from.", nullable=True),
                _text("commit", "The commit of the fix.", nullable=True),
                _text("merge", "The merge.", nullable=True),
                _text("merge_commit", "The commit of the merge.", nullable=True),
                Field("merged", Kind.BOOL, "Whether it is merged.", nullable=True),
                _text("version", "The version that carries it.", nullable=True),
                _text("published_version", "The version that was published.", nullable=True),
                _text("deployed", "When or where it was deployed.", nullable=True),
            ),
        ),
        Field(
            "post_fix_observation",
            Kind.MAP,
            "The watch after the fix.",
            block=True,
            fields=(
                Field("started", Kind.DATE, "First day.", nullable=True, renamed=("started_at",)),
                Field("until", Kind.DATE, "Last day.", nullable=True),
                Field("recurrences", Kind.INT, "How often it came back.", nullable=True),
                Field(
                    "concluded", Kind.ANY, "The day it ended, or whether it did.", nullable=True, renamed=("closed_at",)
                ),
                Field(
                    "waived",
                    Kind.MAP,
                    "A person's decision not to wait.",
                    nullable=True,
                    fields=(
                        _text("by", "Who."),
                        Field("on", Kind.DATE, "When."),
                        _text("reason", "Why."),
                    ),
                ),
            ),
        ),
        Field(
            "change_risk",
            Kind.MAP,
            "How dangerous the fix is.",
            block=True,
            fields=(
                Field("classification", Kind.ENUM, "The class of risk.", values=RISKS),
                _texts("motivos", "Why.", renamed=("reasons",)),
            ),
        ),
        Field(
            "occurrences",
            Kind.MAP,
            "How often importers met it.",
            block=True,
            fields=(
                Field("count", Kind.INT, "The number of distinct occurrences."),
                _texts("dumps", "Names of crash artefacts."),
                _texts("documents", "sha256 of imported documents."),
            ),
        ),
        Field(
            "decisions",
            Kind.LIST,
            "What people decided; only ever appended to.",
            block=True,
            item=Field(
                "",
                Kind.MAP,
                "One decision.",
                fields=(
                    _text("what", "The field or question decided."),
                    Field("value", Kind.ANY, "The decision.", nullable=True),
                    _text("by", "Who."),
                    Field("on", Kind.DATE, "When."),
                    Field("via", Kind.ENUM, "By which route.", values=("terminal", "delegated")),
                    _text("reason", "Why.", nullable=True),
                ),
            ),
        ),
        Field(
            "closure",
            Kind.MAP,
            "What must be true to close, and whether it is.",
            fields=(
                _text("policy", "local-software, package, production-service or other text."),
                Field("satisfied", Kind.BOOL, "Whether the policy is satisfied."),
            ),
        ),
        Field(
            "resolution_kind",
            Kind.ENUM,
            "How it was resolved.",
            values=RESOLUTION_KINDS,
            nullable=True,
        ),
    ),
)
"""The root of the table, in the order in which `new` writes the keys."""

RENAMED_AWAY: dict[str, str] = {
    "root_cause": "traceability.root_cause",
    "affected_code": "traceability.affected_code",
    "specs": "traceability.specs",
    "reproduction_tests": "traceability.reproduction_tests",
    "regression_tests": "traceability.regression_tests",
    "closure_policy": "closure.policy",
    "spec_ref": "traceability.specs",
    "code_ref": "traceability.affected_code",
}
"""Top-level keys of forks that belong elsewhere in the contract."""

BODY_SECTIONS = (
    "Summary",
    "Expected Behavior",
    "Actual Behavior",
    "Steps to Reproduce",
    "Evidence",
    "Suspected Area",
    "Acceptance Criteria",
    "Traceability",
    "Resolution",
    "Agent Notes",
)
"""The second-level headings of a record, in order (registry.md 6)."""


def walk(root: Field = FRONT_MATTER, prefix: str = "") -> Iterator[tuple[str, Field]]:
    """Yield every field with its route; list members are written `name[]`."""
    for field in root.fields:
        route = f"{prefix}.{field.name}" if prefix else field.name
        yield route, field
        if field.item is not None:
            yield from walk(field.item, f"{route}[]")
        yield from walk(field, route)


def lookup(route: tuple[str | int, ...]) -> Field | None:
    """Give the field that describes the value at a route, or None where the table does not know it."""
    field: Field | None = FRONT_MATTER
    for step in route:
        if field is None:
            return None
        field = field.item if isinstance(step, int) else field.field(step)
    return field
