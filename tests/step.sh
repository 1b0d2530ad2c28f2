#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one step of the tests and keeps its output.
# usage: step.sh LOG MISSING COMMAND...
#   LOG       file for the output; the file .sum beside it has "passed failed skipped", in tests, and CPU seconds
#   MISSING   missing packages that the step needs: if there are any, it is skipped, or fails when CI=true
# If a command prints lines "N passed, N failed[, N skipped]", the last one counts, otherwise its exit status.
# Always exits with 0, so that make goes on: report.sh reads the results.
set -u
log=$1 missing=$2
shift 2
mkdir -p "$(dirname "$log")"

result() { echo "$*" >"${log%.log}.sum"; }

if [ -n "$missing" ]; then
    echo "missing packages: $missing" >"$log"
    if [ "${CI:-}" = true ]; then result 0 1 0 0; else result 0 0 1 0; fi
    exit 0
fi

# Tested programs see no variables of make, except those that share make's jobs
[ "${SHARES_JOBS:-}" = yes ] || unset MAKEFLAGS MFLAGS
unset MAKELEVEL MAKEOVERRIDES
status=0
"$@" >"$log" 2>&1 </dev/null || status=$?
times >"${log%.log}.sum" # the second line: what was run, user and system
cost=$(awk 'NR == 2 { split($1 $2, t, /[ms]/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "${log%.log}.sum")

# words: N passed, N failed, N skipped
# shellcheck disable=SC2046
set -- $(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
passed=${1:-0} failed=${3:-0} skipped=${5:-0}
if [ $# -eq 0 ] && [ $status -eq 0 ]; then
    if grep -q SKIP "$log"; then skipped=1; else passed=1; fi
elif [ $status -ne 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
    echo "exit status $status" >>"$log"
fi
result "$passed" "$failed" "$skipped" "$cost"
