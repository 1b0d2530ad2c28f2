#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs groups of tests one after the other and adds up what they say.
#   run.sh GROUP...      each is `make check-GROUP`, which ends with a line "N passed, N failed[, N skipped]"
# Environment: MAKE, B (folder for what is built). What a group prints is also in $B/check/GROUP.log.
# The last line is the sum of all groups. Exit status 0: nothing failed.
set -u
make=${MAKE:-make}
logs=${B:-build}/check
passed=0 failed=0 skipped=0
mkdir -p "$logs"

for group in "$@"; do
    log=$logs/$group.log
    echo "== $group"
    { $make --no-print-directory "check-$group" 2>&1; echo $? >"$log.status"; } | tee "$log"
    summary=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    # words: N passed, N failed, N skipped
    # shellcheck disable=SC2086
    set -- ${summary:-0 passed, 0 failed}
    group_failed=$3
    # a group that ends badly, or says nothing, has failed whatever it counted
    if [ "$(cat "$log.status")" -ne 0 ] && [ "$group_failed" -eq 0 ] || [ -z "$summary" ]; then
        group_failed=$((group_failed + 1))
        echo "run.sh: group $group FAILED (see $log)"
    fi
    passed=$((passed + $1))
    failed=$((failed + group_failed))
    skipped=$((skipped + ${5:-0}))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
