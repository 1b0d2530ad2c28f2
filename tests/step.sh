#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one step of the tests and keeps what it says.
# usage: step.sh LOG MISSING COMMAND...
#   LOG       file for the output; beside it, with .sum: "passed failed skipped", in tests, and CPU seconds
#   MISSING   packages that the step needs and that are missing: then it is skipped, or fails when CI=true
# A command that prints lines "N passed, N failed[, N skipped]" is counted by the last one, others by their
# exit status. Always exits with 0: report.sh looks at the results, so that make goes on.
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

# Nothing of make's own gets to the programs that are tested, but for those that share the jobs of make
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
