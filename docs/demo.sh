#!/usr/bin/env bash
# A bug's whole life on a throw-away copy of registry-example/, run by `make demo` and by the test suite.
# Every command is shown before it runs and its exit code is compared with the expected one, refusals
# included; the script exits 0 only if every step behaved as announced.
#
# The defect is real: format_price(-250) of the invented shop gives "EUR -3.50". The demo reproduces it,
# mends it and closes the bug.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
shop=$(mktemp -d "${TMPDIR:-/tmp}/reversa-demo.XXXXXX")
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The days of the story, and nothing of the caller's surroundings: neither settings nor git identity.
export REVERSA_TODAY=2026-08-24
unset REVERSA_REGISTRY GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.org GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.org
export PYTHONDONTWRITEBYTECODE=1

step() { printf '\n== %s\n\n' "$*"; }

fail() {
  printf '\nThe demo failed: %s\nIts copy of the registry is left in %s\n' "$*" "$shop" >&2
  exit 1
}

# Print a command as one would type it; a long one goes on in the next line at its options.
echo_command() {
  local word quoted line='$'
  for word in "$@"; do
    quoted=$word
    [[ $word =~ ^[A-Za-z0-9_./:=@%+,#-]+$ ]] || quoted="'${word//\'/\'\\\'\'}'"
    if [[ $word == --* && ${#line} -gt 70 ]]; then
      printf '%s \\\n' "$line"
      line='   '
    fi
    line+=" $quoted"
  done
  printf '%s\n' "$line"
}

# expect CODE COMMAND…: show it, run it, show and keep its output, compare its exit code.
expect() {
  local wanted=$1 got=0
  shift
  echo_command "$@"
  "$@" >"$log" 2>&1 || got=$?
  cat "$log"
  [ "$got" = "$wanted" ] || fail "'$1 ${2:-}' gave exit code $got, not $wanted"
  if [ "$got" != 0 ]; then printf '(exit code %s, as it should be)\n' "$got"; fi
  echo
}

# Say that the last output must hold a text.
says() { grep -qF -- "$1" "$log" || fail "the output above does not say: $1"; }

command -v reversa >/dev/null || fail "no reversa on PATH; make demo sets it up"
cp -R "$here/registry-example/." "$shop"
cd "$shop"
git -c init.defaultBranch=main init -q
git add -A
git commit -q -m "The shop as it is"

step "The registry of an invented shop; is everything in it right?"
expect 0 reversa check
expect 0 reversa list

step "A customer reports a refund that is written wrongly. Reproduce it, keep the log, register it."
PYTHONPATH=src python -c 'from pricing import format_price; print("format_price(-250) =", format_price(-250))' >refund.txt
cat >report.md <<'REPORT'
## Summary

A refund of EUR 2.50 is printed as EUR -3.50. The amount that was paid back is right.

## Actual Behavior

Every refund that is not a whole number of euros is printed with a larger amount.

## Steps to Reproduce

1. Refund EUR 2.50 of an order.
2. Print the invoice.

## Acceptance Criteria

- The printed amount of a refund is the amount that was paid back.
- Amounts above zero are printed as before.
REPORT
expect 0 cat refund.txt
says "EUR -3.50"
expect 0 reversa new 'Refund of EUR 2.50 is written as EUR -3.50' -c checkout --body report.md --evidence refund.txt \
  --severity medium --priority P2 --area sales --module invoices --feature price-label --label money \
  --origin customer --classification deterministic --rate 5/5 \
  --spec _reversa_sdd/catalogue.md#price-labels --code src/pricing.py:33
bug=$(grep -oE 'BUG-[0-9]{8}-[A-Z2-7]{4}' "$log" | head -n 1) || fail "new named no ID"
suffix=${bug##*-}
folder=$(dirname "$(echo _reversa_bugs/checkout/bugs/"$bug"*/bug.md)")
rm refund.txt report.md
git add -A
git commit -q -m "Register $bug"

step "Too early to close: the answer lists what is missing and what supplies it."
expect 4 reversa close "$suffix" --as fixed
says "Nothing was written."

step "Its life: reproduced, related to what is known, diagnosed with evidence. An edit touches its own lines alone."
expect 0 reversa update "$suffix" --phase reproducing
expect 0 git --no-pager diff --unified=0 -- "$folder/bug.md"
expect 0 reversa link "$suffix" related-to N6FA --state supported --evidence 'src/invoices.py:16=both are rows that the invoice prints'
expect 0 reversa update "$suffix" --phase diagnosing \
  --add traceability.affected_code=src/invoices.py:16 \
  --set traceability.root_cause.state=supported \
  --set 'traceability.root_cause.hypothesis=Floor division rounds a negative amount away from zero.' \
  --add 'traceability.root_cause.evidence=ref=evidence/refund.txt,observation=-250 cents come out as EUR -3.50'

step "The fix, as anyone would make it: a test that fails, then the code that makes it pass."
cat >tests/test_pricing.py <<'TEST'
from pricing import format_price


def test_refund_keeps_its_amount():
    assert format_price(-250) == "EUR -2.50"


def test_ordinary_price_is_as_before():
    assert format_price(1250) == "EUR 12.50"
TEST
tests=(python -c 'import test_pricing as t; t.test_refund_keeps_its_amount(); t.test_ordinary_price_is_as_before()')
export PYTHONPATH=src:tests
"${tests[@]}" 2>/dev/null && fail "the test should fail before the fix"
python - <<'PATCH'
from pathlib import Path

file = Path("src/pricing.py")
old = '    return f"{CURRENCY} {cents // 100}.{cents % 100:02d}"\n'
new = '    sign, cents = ("-" if cents < 0 else ""), abs(cents)\n    return f"{CURRENCY} {sign}{cents // 100}.{cents % 100:02d}"\n'
text = file.read_text("utf-8")
assert text.count(old) == 1
file.write_text(text.replace(old, new), "utf-8")
PATCH
mkdir -p "$folder/fix"
git diff -- src/pricing.py >"$folder/fix/CHG-001.diff"
expect 0 git --no-pager diff --stat -- src/pricing.py
"${tests[@]}" || fail "the fix does not work"

step "Tell the record: cause, tests and changes, then a person's verdict on the spec."
expect 0 reversa update "$suffix" --phase patching \
  --set traceability.root_cause.state=confirmed \
  --add 'traceability.root_cause.evidence=ref=src/pricing.py:33,observation=with the sign taken off first the amount is right' \
  --add 'traceability.root_cause.code_refs=file=src/pricing.py,symbol=format_price' \
  --add traceability.reproduction_tests=tests/test_pricing.py::test_refund_keeps_its_amount \
  --add traceability.regression_tests=tests/test_pricing.py::test_ordinary_price_is_as_before \
  --add 'change_set=id=CHG-001,kind=code,artifact=src/pricing.py,purpose=Take the sign off before dividing.,diff=fix/CHG-001.diff' \
  --add 'change_set=id=CHG-002,kind=test,artifact=tests/test_pricing.py,purpose=Write a refund.'
expect 0 reversa update "$suffix" --set spec_verdict=spec-correta --by 'Mara Quist'
expect 0 reversa show "$suffix"

step "Now it closes: resolved, locked and sealed in one step."
expect 0 reversa close "$suffix" --as fixed
expect 0 cat "$folder/DONE.md"

step "A locked folder takes no more writes."
expect 4 reversa update "$suffix" --severity high
expect 0 reversa check "$suffix"

step "The views followed every write. Throw them away and draw them anew: the same bytes."
drawn() { cat _reversa_bugs/*/generated/* _reversa_sdd/traceability/bugs.md | git hash-object --stdin; }
followed=$(drawn)
expect 0 rm -r _reversa_bugs/*/generated
expect 0 reversa graph
expect 0 reversa graph --check
[ "$(drawn)" = "$followed" ] || fail "the views came out differently"
expect 0 reversa check
expect 0 git status --short

cat <<END
== Where to look

  $shop/$folder/bug.md
  $shop/_reversa_bugs/checkout/generated/index.md
  $shop/_reversa_bugs/checkout/generated/graph.html   (open it in a browser)

The folder is yours to try things in; remove it with: rm -rf $shop
END
