"""Findings for people: the offending line with a caret, warnings grouped (the tone of a compiler)."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reversa.core.printable import escaped

if TYPE_CHECKING:  # findings bring much along, and every command writes texts
    from reversa.core.finding import Finding

Paint = Callable[[str, str], str]
"""Colours a text by a role: error, warning, dim, bold, good."""

TAB = " " * 4


def plain(text: str, role: str) -> str:
    """Paint nothing."""
    return text


def plural(count: int, one: str, many: str = "") -> str:
    """Write a count with its noun: `1 error`, `3 errors`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def width_of(text: str) -> int:
    """Give the columns that a text takes on a terminal; wide characters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.combining(c) or unicodedata.category(c) in ("Cf", "Mn", "Me")
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def safe(text: str) -> str:
    """Give text for a terminal: tabs widened, control and bidi characters escaped."""
    return escaped(text.replace("\t", TAB))


def finding_lines(finding: Finding, columns: int, prefix: str = "", paint: Paint = plain) -> list[str]:
    """Write one finding: where, the line with a caret, cause, mend."""
    role = finding.severity.value
    place = safe(f"{prefix}{finding.path}:{finding.line}:{finding.column}")
    head = f"{paint(role, role)} {paint(finding.code, 'bold')} {place}"
    if not finding.source:
        out = [head, f"  {finding.message}"]
    else:
        number = f"{finding.line:>5} | "
        line, column, caret = _window(finding, max(40, columns - len(number) - 1))
        pad = " " * width_of(line[:column])
        marks = "^" * max(1, width_of(line[column : column + caret]))
        out = [head, f"{paint(number, 'dim')}{line}"]
        note = f"{' ' * len(number)}{pad}{paint(marks, role)}"
        short = len(number) + len(pad) + len(marks) + 1 + width_of(finding.message) <= columns
        out += [f"{note} {finding.message}"] if short else [note, f"  {finding.message}"]
    if finding.hint:
        out.append(f"  {paint('mend:', 'good')} {finding.hint}")
    return out


def _window(finding: Finding, room: int) -> tuple[str, int, int]:
    """Give the part of the offending line that fits, with the caret's place and length in it."""
    source = finding.source
    start = finding.column - 1
    before, marked = safe(source[:start]), safe(source[start : start + finding.width])
    line = before + marked + safe(source[start + finding.width :])
    column, width = len(before), max(1, len(marked))
    if width_of(line) <= room:
        return line, column, width
    cut = max(0, column - room // 3) if column > room // 2 else 0
    head = "…" if cut else ""
    line = head + line[cut : cut + room - 2] + ("…" if len(line) > cut + room - 2 else "")
    column = column - cut + len(head)
    return line, column, max(1, min(width, len(line) - column))


def check_lines(
    data: Mapping[str, Any],
    errors: Sequence[Finding],
    warnings: Sequence[Finding],
    groups: Iterable[Any],
    *,
    columns: int = 80,
    prefix: str = "",
    locked: bool = False,
    fixable: int = 0,
    ignored: Sequence[Any] = (),
    reasons: bool = False,
    debt: Sequence[Finding] | None = None,
    baselined: Sequence[Finding] = (),
    removable: int = 0,
    paint: Paint = plain,
) -> list[str]:
    """Write the report of `check`: errors in full, warnings in full or grouped, the tally.

    `ignored` is what the configuration left out, told one by one where `reasons` are asked for; `debt` the errors that
    were there before, None where all count; `baselined` are shown one by one where reasons are.
    """
    out: list[str] = []
    for finding in errors:
        out += [*finding_lines(finding, columns, prefix, paint), ""]
    for finding in warnings:
        out += [*finding_lines(finding, columns, prefix, paint), ""]
    groups = list(groups)
    if groups:
        out += [paint("warnings", "warning"), *_group_lines(groups, columns, paint)]
        note = "--all shows each"
        if data["hidden_locked"]:
            note += f"; {data['hidden_locked']} more inside locked bugs, --locked shows them"
        out += [paint(f"  {note}.", "dim"), ""]
    elif data["hidden_locked"] and not locked:
        out += [paint(f"{plural(data['hidden_locked'], 'warning')} inside locked bugs; --locked shows them.", "dim")]
    out += [paint(line, "dim") for line in _ignored_lines(ignored, reasons=reasons)]
    if fixable:
        out += [paint(f"{plural(fixable, 'finding has', 'findings have')} a safe fix: reversa check --fix", "dim")]
    if baselined and reasons:
        out += [paint("in the baseline, and no reason to fail", "warning"), *_debt_lines(baselined, paint), ""]
    elif baselined:
        out += [paint(f"{plural(len(baselined), 'error')} in the baseline; --all shows each.", "dim")]
    if removable:
        entries = plural(removable, "entry of the baseline is", "entries of the baseline are")
        out += [paint(f"{entries} mended; reversa check --write-baseline takes what is mended out.", "dim")]
    if debt:
        out += [paint("old debt, there before and no reason to fail", "warning"), *_debt_lines(debt, paint), ""]
    out.append(tally(data, paint, new=debt is not None))
    return out


def _debt_lines(debt: Sequence[Finding], paint: Paint) -> list[str]:
    return [f"  {each.code}  {safe(f'{each.path}:{each.line}')}  {paint(each.title, 'dim')}" for each in debt]


def history_lines(
    data: Mapping[str, Any], broken: Iterable[tuple[Any, Sequence[Finding]]], paint: Paint = plain
) -> list[str]:
    """Write the report over a history: each commit that brought errors, with a line an error, and the tally."""
    out = []
    for commit, errors in broken:
        out.append(f"{paint(commit.name[:10], 'bold')} {commit.day}  {safe(commit.subject)}")
        out += [f"  {paint(e.code, 'error')}  {safe(f'{e.path}:{e.line}')}  {e.message}" for e in errors]
    total, count = data["commits"], len(data["broken"])
    if not count:
        return [f"{plural(total, 'commit')} of the registry: {paint('none brought an error', 'good')}."]
    tally = f"{count} of {plural(total, 'commit')} of the registry brought {plural(data['errors'], 'error')}"
    return [*out, "", f"{paint(tally, 'error')}."]


def _ignored_lines(ignored: Sequence[Any], *, reasons: bool) -> list[str]:
    """Say what the configuration left out, with the reasons or in one line; a needless entry is named as such."""
    if not reasons:
        total = sum(part.total for part in ignored)
        return [f"{plural(total, 'warning')} ignored by the configuration; --all says why."] if total else []
    out = []
    for (code, context, reason), count in ignored:
        where = f" in {context}" if context else ""
        what = f"{plural(count, 'warning')} ignored" if count else "ignores nothing and can go"
        out.append(safe(f"{code}{where}: {what} ({reason})."))
    return ["Ignored by the configuration:", *(f"  {line}" for line in out), ""] if out else []


def fixed_lines(fixed: Sequence[Mapping[str, Any]], findings: Sequence[Finding], *, done: bool) -> list[str]:
    """Say what safe fixes mended, or would mend: how many findings of which rules in how many files."""
    if not findings:
        return ["No finding here has a safe fix."]
    counts = Counter(finding.code for finding in findings)
    listed = ", ".join(f"{code} {counts[code]}" for code in sorted(counts))
    verb = "Mended" if done else "--fix would mend"
    return [f"{verb} {plural(len(findings), 'finding')} in {plural(len(fixed), 'file')}: {listed}."]


def _group_lines(groups: Sequence[Any], columns: int, paint: Paint) -> list[str]:
    titles = max(min(width_of(group.title), 46) for group in groups)
    counts = max(len(str(group.count)) for group in groups)
    out = []
    for group in groups:
        title = group.title if len(group.title) <= titles else group.title[: titles - 1] + "…"
        head = f"  {group.code}  {title}{' ' * (titles - width_of(title))}  {group.count:>{counts}}"
        places = [f"{finding.bug or finding.path}:{finding.line}" for finding in group.examples]
        example = f"  e.g. {', '.join(places)}"
        while len(places) > 1 and len(head) + len(example) > columns:
            places.pop()
            example = f"  e.g. {', '.join(places)}"
        out.append(f"{head}{paint(example, 'dim')}" if len(head) + len(example) <= columns else head)
        if len(head) + len(example) > columns:
            out.append(paint(f"         {example.strip()}", "dim"))
    return out


def tally(data: Mapping[str, Any], paint: Paint = plain, *, new: bool = False) -> str:
    """Write the last line of a report: what was looked at, and how many errors and warnings count."""
    errors, warnings = data["errors"], data["warnings"]
    parts = f"{plural(data['bugs'], 'bug')} in {plural(data['contexts'], 'context')}"
    fresh = "new " if new else ""
    other = "other " if data.get("baselined") and not new else fresh
    if not errors and not warnings:
        return f"{parts}: {paint(f'no {other}errors, no {fresh}warnings', 'good')}."
    verdict = f"{plural(errors, f'{other}error') if errors or not other else f'no {other}errors'}"
    verdict += f", {plural(warnings, f'{fresh}warning')}"
    return f"{parts}: {paint(verdict, 'error' if errors else 'warning')}."
