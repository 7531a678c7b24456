#!/usr/bin/env bash
# One process per GPU: two processes of several_gpus_mpi, then three, with parts of two lengths.
# Usage: mpi_test.sh [MPIRUN PROGRAM]     without both there is no Open MPI: skipped
if [ $# != 2 ]; then
    echo "[skipped part] several_gpus_mpi: no Open MPI (Debian and Ubuntu: libopenmpi-dev openmpi-bin)"
    exit 77
fi
mpirun=$1
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$2"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
"$mpirun" -n 1 "$program" 10 >/dev/null 2>&1
[ $? != 77 ] || exit "$([ -n "${REQUIRE_GPU:-}" ] && echo 1 || echo 77)"  # no GPU
several_gpus=$program
program=$mpirun
expect 0 '^100001 floats, 2 processes: sum 12750151, .* ok$' --oversubscribe -n 2 "$several_gpus" 100001
expect 0 '^100001 floats, 3 processes: sum 12750151, .* ok$' --oversubscribe -n 3 "$several_gpus" 100001
say_and_exit
