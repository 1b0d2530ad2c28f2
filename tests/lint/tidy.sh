#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints what clang-tidy found and counts the files.
# usage: tidy.sh FOLDER SOURCE...    FOLDER has SOURCE.tidy (without .c): its output, then its exit status
# The last line is "N passed, N failed". Exit status 0: no finding.
set -u
out=$1
shift
passed=0 failed=0
for source in "$@"; do
    log=$out/${source%.c}.tidy
    if [ "$(tail -n 1 "$log")" = 0 ]; then
        passed=$((passed + 1))
    else
        grep -v 'warnings generated' "$log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
