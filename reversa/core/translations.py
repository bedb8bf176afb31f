"""Words of the contract as forks of the format write them: in Portuguese or Spanish, in other case, without accents.

The contract never translates its words (registry.md 3). What stands here means one of them beyond doubt; what only may
mean one does not stand here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from reversa.core.fields import lookup


def fold(text: str) -> str:
    """Give a word without case and accents, its parts joined by hyphens."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return "-".join(bare.replace("_", " ").replace("-", " ").split())


def _table(words: Mapping[str, str]) -> dict[str, str]:
    return {alias: word for word, aliases in words.items() for alias in aliases.split()}


_CAUSE_STATES = {
    "hypothesized": "hipotese hipotetizada hipotetizado hipotesis",
    "supported": "sustentada sustentado suportada suportado respaldada respaldado",
    "confirmed": "confirmada confirmado",
    "rejected": "rejeitada rejeitado rechazada rechazado descartada descartado",
}

ALIASES: dict[str, dict[str, str]] = {
    "status": _table(
        {
            "open": "aberto aberta abierto abierta",
            "active": "ativo ativa activo activa em-andamento en-curso en-progreso",
        }
    ),
    "phase": _table(
        {
            "triaging": "triagem triaje",
            "mitigating": "mitigando mitigacao mitigacion",
            "reproducing": "reproduzindo reproducao reproduciendo reproduccion",
            "diagnosing": "diagnosticando diagnostico",
            "planning": "planejando planejamento planeando planificando planificacion",
            "testing": "testando testes probando pruebas",
            "patching": "corrigindo correcao corrigiendo correccion",
            "delivering": "entregando entrega",
            "observing": "observando observacao observacion",
            "awaiting-human": "aguardando-humano esperando-humano",
        }
    ),
    "severity": _table(
        {
            "critical": "critico critica",
            "high": "alto alta",
            "medium": "medio media moderado moderada",
            "low": "baixo baixa bajo baja",
        }
    ),
    "priority": {},
    "origin.type": _table(
        {
            "manual-report": "relato-manual reporte-manual informe-manual",
            "ci-failure": "falha-de-ci falha-ci fallo-de-ci fallo-ci",
            "telemetry": "telemetria",
            "alert": "alerta",
            "support": "suporte soporte",
            "customer": "cliente",
            "security-advisory": "aviso-de-seguranca aviso-de-seguridad",
            "inspection": "inspecao inspeccion",
            "other": "outro outra otro otra",
        }
    ),
    "visibility": _table({"restricted": "restrito restrita restringido restringida"}),
    "reproduction.classification": _table(
        {
            "deterministic": "deterministico deterministica determinista",
            "intermittent": "intermitente",
            "environment-dependent": "dependente-do-ambiente dependente-de-ambiente dependiente-del-entorno",
            "not-reproduced": "nao-reproduzido no-reproducido",
            "unknown": "desconhecido desconhecida desconocido desconocida",
        }
    ),
    "change_set[].kind": _table(
        {
            "test": "teste prueba",
            "code": "codigo",
            "configuration": "configuracao configuracion",
            "migration": "migracao migracion",
            "data-repair": "reparo-de-dados reparacion-de-datos",
            "dependency": "dependencia",
            "infrastructure": "infraestrutura infraestructura",
            "api-contract": "contrato-de-api",
            "observability": "observabilidade observabilidad",
            "specification": "especificacao especificacion",
            "documentation": "documentacao documentacion",
            "other": "outro outra otro otra",
        }
    ),
    "change_risk.classification": _table(
        {"baixa": "baixo bajo baja low", "média": "medio medium", "alta": "alto high"},
    ),
    "blocking[].kind": _table({"external": "externo externa"}),
    "relationships[].type": _table(
        {
            "caused-by": "causado-por causada-por",
            "blocked-by": "bloqueado-por bloqueada-por",
            "duplicate-of": "duplicado-de duplicata-de duplicada-de",
            "regression-of": "regressao-de regresion-de",
            "related-to": "relacionado-a relacionado-com relacionado-con",
            "conflicts-with": "conflita-com conflitante-com en-conflicto-con",
        }
    ),
    "relationships[].state": _table(
        {
            "proposed": "proposta proposto propuesta propuesto",
            **{word: _CAUSE_STATES[word] for word in ("supported", "confirmed", "rejected")},
        }
    ),
    "traceability.root_cause.state": _table(_CAUSE_STATES),
}
"""By the route of a word: what forks write, folded, and the word of the contract.

A person's decisions are not here, nor is `resolved`, which only closing writes, nor a visibility that shows more than
an unknown one does.
"""

FINISHED = frozenset(
    _table(
        {
            "": "resolved closed closure done fixed finished complete completed concluded verified"
            " resolvido resolvida fechado fechada concluido concluida encerrado encerrada finalizado finalizada"
            " verificado verificada resuelto resuelta cerrado cerrada terminado terminada hecho"
        }
    )
)
"""What forks write as the phase of a bug that is over, folded: the contract has no such phase, the last one stays."""

WITHHELD = {"status": ("resolved",), "visibility": ("normal", "internal")}
"""Words that no spelling is turned into."""


def meant(route: tuple[str | int, ...], text: str) -> str:
    """Give the word of the contract that a text at a route means in other spelling or language, or ""."""
    name = ""
    for step in route:
        name += "[]" if isinstance(step, int) else f".{step}" if name else step
    known = lookup(route)
    if name not in ALIASES or known is None:
        return ""
    folded = fold(text)
    spelled = {fold(word): word for word in known.values if word not in WITHHELD.get(name, ())}
    return spelled.get(folded) or ALIASES[name].get(folded, "")
