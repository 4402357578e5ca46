# Completion of gpuverify for bash (with bash-completion): commands, options and
# their values, all as --help of the command that is being typed has them.

# The lines of options, "--dump=programs|graph", of a command or of none.
_gpuverify_options() {
  "$1" ${2:+"$2"} --help 2>/dev/null |
    sed -n 's/^  \(--*[A-Za-z][^ ]*\) .*/\1/p'
}

# The words of "usage: gpuverify WORD ..".
_gpuverify_commands() {
  "$1" --help 2>/dev/null | sed -n 's/^ *[a-z: ]*gpuverify \([a-z]*\) .*/\1/p' |
    sort -u
}

# Values of "--dump=programs|graph"; none if they are numbers or names.
_gpuverify_values() {
  _gpuverify_options "$1" "$2" | sed -n "s/^$3=//p" | grep -v '[A-Z]' | tr '|' '\n'
}

_gpuverify() {
  local cur words cword command='' name
  _get_comp_words_by_ref -n =: cur words cword
  if [ "$cword" -gt 1 ]; then
    command=$(_gpuverify_commands "$1" | grep -xF -- "${words[1]}")
  fi
  case $cur in
  --*=*)
    name=${cur%%=*} cur=${cur#*=}
    mapfile -t COMPREPLY < <(compgen -W \
      "$(_gpuverify_values "$1" "$command" "$name")" -- "$cur")
    [ ${#COMPREPLY[@]} -gt 0 ] || _filedir
    return ;;
  -*)
    mapfile -t COMPREPLY < <(compgen -W \
      "$(_gpuverify_options "$1" "$command" | sed 's/=.*/=/')" -- "$cur")
    case ${COMPREPLY[0]} in *=) compopt -o nospace ;; esac
    return ;;
  esac
  _filedir '@(cu|hip|cl|ll|bc|ptx|json|cpp|cc|db)'
  if [ "$cword" -eq 1 ]; then
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W \
      "$(_gpuverify_commands "$1")" -- "$cur")
  fi
}

complete -F _gpuverify gpuverify
