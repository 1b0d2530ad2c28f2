#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keeps in proved.txt what was proved, by its contents: a line "PROOF SUM GOALS" for each proof.
# usage: keep.sh contracts|boot                runs nothing: prints "GOALS passed, 0 failed" if these very files were
#                                              proved, otherwise nothing
#        keep.sh contracts|boot COMMAND...     proves, by the command, and keeps it if all of it is proved
# SUM is of all files that a proof reads: the runtime, the tests' contracts, and the scripts with their options. The
# provers' release is not part of it: a goal that one of them has proved is proved.
set -u
cd "$(dirname "$0")/../.." || exit 1
proof=$1 record=tests/prove/proved.txt
shift
sum=$(find runtime tests/prove tests/fixtures/npu/pack -type f '(' -name '*.[ch]' -o -name '*.def' -o -name '*.py' ')' | LC_ALL=C sort |
    xargs sha256sum | sha256sum | cut -d ' ' -f 1)
if [ $# -eq 0 ]; then
    awk -v proof="$proof" -v sum="$sum" '$1 == proof && $2 == sum { print $3 " passed, 0 failed" }' "$record"
    exit 0
fi
text=$("$@")
status=$?
printf '%s\n' "$text"
goals=$(printf '%s\n' "$text" | sed -n 's/^\([1-9][0-9]*\) passed, 0 failed$/\1/p' | tail -n 1)
if [ $status -eq 0 ] && [ -n "$goals" ] && [ "${CI:-}" != true ]; then
    { awk -v proof="$proof" '$1 != proof' "$record" 2>/dev/null; echo "$proof $sum $goals"; } | sort >"$record.new"
    mv "$record.new" "$record"
fi
exit $status
