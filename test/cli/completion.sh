# Completion in bash and zsh, where they are installed.
# shellcheck shell=sh

program=$(dirname "$gpuverify")
: >kernel.cu
: >notes.txt

# completes WORD WORD..: bash completes the last of these.
completes() {
  out=$(PATH="$program:$PATH" bash -c '
    . /usr/share/bash-completion/bash_completion
    . "$0/completion/gpuverify.bash"
    compopt() { :; }
    COMP_LINE=$(echo "$*" | sed "s/ = */=/") COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE}
    _gpuverify gpuverify
    printf "%s\n" "${COMPREPLY[@]}"' "$root" "$@" 2>&1)
}

if [ -r /usr/share/bash-completion/bash_completion ]; then
  completes gpuverify ba
  tells barriers
  says_not schedules
  completes gpuverify --blockD
  check 'an option of the proof' test "$out" = '--blockDim='
  completes gpuverify barriers --d
  check 'one of a command' test "$out" = '--dump='
  completes gpuverify barriers --dump = g
  check 'its values' test "$out" = graph
  completes gpuverify --dump = k
  check 'others without a command' test "$out" = kernel
  completes gpuverify run ''
  tells kernel.cu
  says_not notes.txt
  completes gpuverify run --launch = no
  tells notes.txt
else
  skip 'bash-completion is not here'
fi

# tries PREFIX WORD..: what our function gives to zsh's own.
tries() {
  out=$(PATH="$program:$PATH" zsh -fc '
    _describe() { for a in $@; do case $a in -*) ;; *) print -l -- ${(P)a} ;; esac; done }
    _files() { print files "$@" }
    compset() { : }
    compadd() { print -l -- ${(P)2} }
    root=$1 PREFIX=$2; shift 2
    words=("$@" "$PREFIX") CURRENT=$#words
    completer() { . $root/completion/_gpuverify }
    completer' zsh "$root" "$@" 2>&1)
}

if command -v zsh >/dev/null; then
  tries ba gpuverify
  tells barriers
  tries --d gpuverify barriers
  tells '--dump=:print the accesses and barriers of each warp'
  tells '--elect-lowest:elect.sync'
  says_not --gridDim=X
  tries --dump= gpuverify barriers
  check 'zsh has the values' test "$out" = "$(printf 'programs\ngraph')"
  tries --launch= gpuverify run
  check 'zsh has files' test "$out" = files
else
  skip 'zsh is not here'
fi
