#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs clang-tidy over sources, two at a time, and counts the files.
#   tidy.sh FOLDER SOURCE...    FOLDER: for what each file's run says; unchanged files are not run again
# Options: .clang-tidy. The last line is "N passed, N failed". Exit status 0: no finding.
set -u
out=$1
shift
mkdir -p "$out"
cat >"$out/one.sh" <<'END'
log=$1/$(echo "$2" | tr / _).tidy
# headers count as well: any that is newer makes the file be checked again
if [ -e "$log.ok" ] && [ -z "$(find "$2" .clang-tidy base cli elfpack toolchain runtime templates \
    -name "$(basename "$2")" -newer "$log.ok" -o -name '*.h' -newer "$log.ok" \
    -o -name '*.def' -newer "$log.ok" -o -name .clang-tidy -newer "$log.ok")" ]; then
    exit 0
fi
rm -f "$log.ok"
clang-tidy --quiet "$2" -- -std=c11 -D_GNU_SOURCE -I. -DRP_INSTALLED_DATADIR='""' >"$log" 2>&1 &&
    : >"$log.ok"
exit 0
END
printf '%s\n' "$@" | xargs -P 2 -n 1 sh "$out/one.sh" "$out"
passed=0 failed=0
for source in "$@"; do
    log=$out/$(echo "$source" | tr / _).tidy
    if [ -e "$log.ok" ]; then
        passed=$((passed + 1))
    else
        grep -v 'warnings generated' "$log"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
