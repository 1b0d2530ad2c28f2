#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs commands and counts them.
#   steps.sh 'NAME | NEEDS | COMMAND'...
# NEEDS: programs, and files (with a /), without which the step is skipped loudly, or fails when
# CI=true. A command that prints a line "N passed, N failed[, N skipped]" is counted by its last one,
# others by their exit status. Output is shown when a step fails, lines that speak of a skip always.
# The last line is the sum. Exit status 0: nothing failed.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

missing_of() {
    for need in $1; do
        case $need in
        */*) [ -e "$need" ] || printf ' %s' "$need" ;;
        *) command -v "$need" >/dev/null 2>&1 || printf ' %s' "$need" ;;
        esac
    done
}

skip() {
    if [ "${CI:-}" = true ]; then
        echo "FAILED  $1: missing:$2"
        failed=$((failed + 1))
    else
        echo "SKIPPED $1: missing:$2" >&2
        skipped=$((skipped + 1))
    fi
}

# name, exit status; the numbers of the summary line, if there was one
count() {
    name=$1 status=$2
    shift 2
    if [ $# -ge 4 ]; then
        more_passed=$1 more_failed=$3 more_skipped=${5:-0}
    elif [ "$status" -eq 0 ] && grep -q SKIP "$log"; then
        more_passed=0 more_failed=0 more_skipped=1
    else
        more_passed=1 more_failed=0 more_skipped=0
    fi
    if [ "$status" -ne 0 ] && [ "$more_failed" -eq 0 ]; then
        more_failed=1
        [ $# -ge 4 ] || more_passed=0
    fi
    if [ "$more_failed" -ne 0 ]; then
        cat "$log"
        echo "FAILED  $name"
    else
        grep SKIP "$log" >&2
        echo "ok      $name"
    fi
    passed=$((passed + more_passed))
    failed=$((failed + more_failed))
    skipped=$((skipped + more_skipped))
}

for step in "$@"; do
    name=$(echo "${step%%|*}" | sed 's/^ *//; s/ *$//')
    rest=${step#*|}
    missing=$(missing_of "${rest%%|*}")
    if [ -n "$missing" ]; then
        skip "$name" "$missing"
        continue
    fi
    status=0
    sh -c "${rest#*|}" >"$log" 2>&1 || status=$?
    # shellcheck disable=SC2046
    count "$name" "$status" $(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
done
if [ "$skipped" -ne 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
