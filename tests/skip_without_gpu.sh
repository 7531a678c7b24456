#!/usr/bin/env bash
# Runs COMMAND and ends as it does. Status 77, which counts as skipped, means that there is no GPU:
# with REQUIRE_GPU set the status is 1 then. Usage: skip_without_gpu.sh COMMAND [ARGUMENT...]
status=0
"$@" || status=$?
if [ "$status" = 77 ] && [ -n "${REQUIRE_GPU:-}" ]; then
    exit 1
fi
exit "$status"
