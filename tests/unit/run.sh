#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs cmocka unit test programs and prints one line for each, and all output of a failed one.
#   run.sh PROGRAM...
# The last line is "N passed, N failed[, N skipped]", in tests. A program that ends without cmocka's
# summary (a crash, a sanitizer's report) counts as one more failure. Exit status 0: none failed.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for program in "$@"; do
    status=0
    "$program" >"$log" 2>&1 || status=$?
    # cmocka lists failed and skipped tests again at the end, so only lines after a RUN line count
    counts=$(awk '/^\[ RUN/ { open = 1 }
        open && /^\[ +OK \]/ { ok++; open = 0 }
        open && /^\[  FAILED  \]/ { bad++; open = 0 }
        open && /^\[  SKIPPED \]/ { left++; open = 0 }
        END { print ok + 0, bad + open, left + 0 }' "$log")
    # shellcheck disable=SC2086
    set -- $counts
    bad=$2
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        bad=1
    fi
    passed=$((passed + $1))
    failed=$((failed + bad))
    skipped=$((skipped + $3))
    name=${program##*/}
    if [ "$bad" -ne 0 ]; then
        grep -v -e '^\[ RUN' -e '^\[       OK' "$log"
        echo "FAILED  $name: $1 passed, $bad failed (exit status $status)"
    elif [ "$3" -ne 0 ]; then
        echo "ok      $name: $1 ($3 skipped)"
    else
        echo "ok      $name: $1"
    fi
done
if [ "$skipped" -ne 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
