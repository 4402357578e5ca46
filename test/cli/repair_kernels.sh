# What `gpuverify repair` proposes for the kernels of test/repair: those with
# `// repair: TEXT` get a proposal that says so, and the changed file is verified;
# those with `// none: TEXT` get none, for this reason.  `// asked: OPTION` is for
# the repair alone.
# shellcheck shell=sh

header() { sed -n "s|^// $2: *||p" "$1"; }

# proposes FILE NAME OPTION..
proposes() {
  file=$1 name=$2
  shift 2
  asked=$(header "$file" asked)
  cp "$file" "$name"
  if [ -n "$(header "$file" repair)" ]; then
    # shellcheck disable=SC2086
    gives 0 "$(header "$file" repair)" repair --no-confirm --fix $asked "$@" "$name"
    tells '; the file is changed'
    gives 0 'verdict: verified' --no-confirm "$@" "$name"
  else
    gives 1 "$(header "$file" none)" repair --no-confirm --fix "$@" "$name"
    tells 'repair: none for kernel'
    check "$name is what it was" cmp "$file" "$name"
  fi
}

# Those that begin with $kernels, or else all but barriers of the grid.
for file in "$root"/test/repair/"$kernels"*.c[ul]; do
  case $kernels:${file##*/} in :grid*) continue ;; esac
  # shellcheck disable=SC2046 # options are words
  proposes "$file" "$(basename "$file")" $(header "$file" args)
done
