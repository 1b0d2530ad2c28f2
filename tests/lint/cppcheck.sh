#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs cppcheck over sources.
#   cppcheck.sh FOLDER SOURCE...    FOLDER: its cache
# Exit status 0: no finding.
set -eu
out=$1/cppcheck
shift
mkdir -p "$out"
# Left out: checks that need a reader's judgement (clang-tidy checks style), and unused functions of libraries
exec cppcheck --quiet --std=c11 --language=c -j 2 -I. -D_GNU_SOURCE -DRP_INSTALLED_DATADIR='""' \
    --cppcheck-build-dir="$out" --enable=warning,performance,portability --inline-suppr \
    --suppressions-list=tests/lint/cppcheck.txt --error-exitcode=1 "$@"
