#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the output of a group's steps when all of them have ended.
# usage: report.sh FOLDER GROUP LIMIT STEP...
#   FOLDER   has GROUP/STEP.log and .sum of each step, written by step.sh; receives GROUP.sum, the sum
#   LIMIT    seconds of CPU time that the group may cost; exceeding it is reported
# A failed step is shown with all its output, the others only with their lines about skips. A missing package is
# reported once for all steps that need it.
set -u
folder=$1 group=$2 limit=$3
shift 3
lacking='' missing=''
tell_missing() {
    [ -z "$missing" ] || echo "$lacking: $missing"
    lacking='' missing=''
}

{
    echo "== $group"
    for step in "$@"; do
        log=$folder/$group/$step.log
        reason=$(grep '^missing packages:' "$log" 2>/dev/null)
        [ "$reason" = "$missing" ] || tell_missing
        if ! read -r passed failed skipped _ 2>/dev/null <"$folder/$group/$step.sum"; then
            echo "FAILED  $step: what it needs could not be built; why is said above"
            echo 0 1 0 0 >"$folder/$group/$step.sum"
        elif [ -n "$reason" ]; then
            [ "$failed" -eq 0 ] && outcome=SKIPPED || outcome="FAILED "
            lacking="${lacking:-$outcome} $step" missing=$reason
        elif [ "$failed" -ne 0 ]; then
            cat "$log"
            echo "FAILED  $step: $passed passed, $failed failed"
        elif [ "$passed" -eq 0 ]; then
            echo "SKIPPED $step: $(grep SKIP "$log")"
        else
            grep SKIP "$log"
            [ "$skipped" -eq 0 ] || skips=", $skipped skipped"
            echo "ok      $step: $passed${skips:-}"
            skips=
        fi
    done
    tell_missing
    cd "$folder/$group" && awk -v group="$group" -v limit="$limit" '
        { passed += $1; failed += $2; skipped += $3; cost += $4 }
        END { printf "%d passed, %d failed, %d skipped; %.0f s of CPU time", passed, failed, skipped, cost
            print (cost > limit ? ", MORE THAN ITS LIMIT of " limit : "")
            print passed, failed, skipped > ("../" group ".sum") }' $(printf '%s.sum ' "$@")
} 2>&1
