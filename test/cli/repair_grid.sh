# Barriers of the grid that `gpuverify repair` proposes, for kernels that are
# launched cooperatively and for no others: test/repair/grid*, as
# repair_kernels.sh has it.
# shellcheck shell=sh

kernels=grid
# shellcheck disable=SC1091
. "$root/test/cli/repair_kernels.sh"
