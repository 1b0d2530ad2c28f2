#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keeps what was proved, by its contents: "SUM GOALS" in a file for each proof, since they run side by side.
# usage: keep.sh contracts|boot                runs nothing: prints "GOALS passed, 0 failed" if these very files were
#                                              proved, otherwise nothing
#        keep.sh contracts|boot COMMAND...     proves, by the command, and keeps it if all of it is proved
# SUM is of all files that a proof reads: the runtime, the tests' contracts, and the scripts with their options. The
# provers' release is not part of it: a goal that one of them has proved is proved.
set -u
cd "$(dirname "$0")/../.." || exit 1
record=tests/prove/$1.proved
shift
sum=$(find runtime tests/prove tests/fixtures/npu/pack -type f '(' -name '*.[ch]' -o -name '*.def' -o -name '*.py' ')' | LC_ALL=C sort |
    xargs sha256sum | sha256sum | cut -d ' ' -f 1)
if [ $# -eq 0 ]; then
    awk -v sum="$sum" '$1 == sum { print $2 " passed, 0 failed" }' "$record"
    exit 0
fi
text=$("$@")
status=$?
printf '%s\n' "$text"
goals=$(printf '%s\n' "$text" | sed -n 's/^\([1-9][0-9]*\) passed, 0 failed$/\1/p' | tail -n 1)
if [ $status -eq 0 ] && [ -n "$goals" ] && [ "${CI:-}" != true ]; then
    echo "$sum $goals" >"$record"
fi
exit $status
