#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the subjects of commits that are not pushed yet: `folder: what changes`, in lower case, at most 72 characters, one change.
# usage: subjects.sh [RANGE]     by default from the upstream branch, or else from origin/main, to HEAD
# Prints the subjects that are wrong; the last line is "N passed, N failed", in commits.
set -u
base=$(git rev-parse -q --verify '@{upstream}' 2>/dev/null || git rev-parse -q --verify origin/main 2>/dev/null)
range=${1:-${base:+$base..HEAD}}
if [ -z "$range" ]; then
    echo "SKIP: no upstream branch, so nothing says what is not pushed yet"
    exit 0
fi
git log --no-merges --format=%s "$range" | awk '
    length($0) > 72 { wrong = wrong " longer than 72 characters;" }
    !/^[A-Za-z0-9_.][A-Za-z0-9_., \/-]*: ([^A-Z ]|[A-Z][a-z]*[A-Z0-9_+])/ { wrong = wrong " not `folder: what changes`;" }
    /;/ { wrong = wrong " two changes;" }
    /\.$/ { wrong = wrong " a full stop;" }
    { if (wrong != "") { print $0 ":" wrong; failed++ } else passed++; wrong = "" }
    END { printf "%d passed, %d failed\n", passed, failed; exit failed != 0 }'
