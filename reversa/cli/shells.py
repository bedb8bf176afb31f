"""The shells' side of completion; all three ask `reversa-bugs`, since another program may be called `reversa`."""

from __future__ import annotations

BASH = r"""
# bash completion of reversa
_reversa() {
    local value meaning IFS=$'\n'
    COMPREPLY=()
    compopt -o nosort 2>/dev/null
    while IFS=$'\t' read -r value meaning; do
        if [ "$value" = ":files" ]; then
            compopt -o default
            continue
        fi
        case "$value" in *=) compopt -o nospace ;; esac
        case "$2" in
            \"* | \'*) COMPREPLY+=("$value") ;;
            *) COMPREPLY+=("$(printf %q "$value")") ;;
        esac
    done < <(reversa-bugs __complete "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null)
}
complete -F _reversa reversa reversa-bugs
"""

ZSH = r"""
#compdef reversa reversa-bugs
# zsh completion of reversa
_reversa() {
    local line value meaning files
    local -a plain open
    while IFS=$'\t' read -r value meaning; do
        if [[ "$value" == ":files" ]]; then
            files=1
            continue
        fi
        line="${value//:/\\:}${meaning:+:$meaning}"
        if [[ "$value" == *= ]]; then open+=("$line"); else plain+=("$line"); fi
    done < <(reversa-bugs __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    (( $#plain )) && _describe -V reversa plain
    (( $#open )) && _describe -V reversa open -S ''
    [[ -n "$files" ]] && _files
}
if [[ "$funcstack[1]" == "_reversa" ]]; then
    _reversa "$@"
else
    compdef _reversa reversa reversa-bugs
fi
"""

FISH = r"""
# fish completion of reversa
function __reversa_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found (reversa-bugs __complete -- $words[2..-1] 2>/dev/null)
    if contains -- ":files" $found
        __fish_complete_path (commandline -ct)
    else
        string join \n -- $found
    end
end
for name in reversa reversa-bugs
    complete -c $name -f -a "(__reversa_complete)"
end
"""

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
"""The script of each shell."""
