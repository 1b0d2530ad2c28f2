#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages that the groups need, lets make run their steps, and adds up the results.
# usage: run.sh FOLDER NEEDS GROUP...     called by `make check` and `make check-GROUP`
#   FOLDER   receives the output: GROUP/STEP.log
#   NEEDS    packages and groups of packages, as .ci/install-packages takes them
# Environment: MAKE; OPTION_J: its option -j, if no outer make gives one. Each group is printed as a whole when
# its last step has ended. The last line is the sum. Exit status 0: tests passed, and none failed.
set -u
folder=$1 needs=$2
shift 2
./.ci/install-packages $needs
missing=$(./.ci/install-packages --missing $needs)
mkdir -p "$folder"

# A tenth of the time is the file system's: temporary files go into memory where there is plenty and programs can run.
room=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
if [ -z "${TMPDIR:-}" ] && [ "${room:-0}" -ge 8000000 ] && cp /bin/true "/dev/shm/relocpack.$$" 2>/dev/null; then
    ! "/dev/shm/relocpack.$$" 2>/dev/null || export TMPDIR=/dev/shm
    rm -f "/dev/shm/relocpack.$$"
fi
for group in "$@"; do
    rm -rf "${folder:?}/$group" "$folder/$group.sum"
done

# -k: a step that cannot be built does not stop the others. -O: outputs are not mixed
$MAKE -k -O $OPTION_J --no-print-directory MISSING="$missing" $(printf 'report-%s ' "$@")
for group in "$@"; do
    [ -e "$folder/$group.sum" ] || $MAKE -s --no-print-directory MISSING="$missing" "report-$group" REPORT_ONLY=yes
done

times >"$folder/times" # the second line: what was run, user and system
awk 'NR == 2 { printf "all of it: %s user, %s system\n", $1, $2 }' "$folder/times"
for group in "$@"; do
    cat "$folder/$group.sum" || echo 0 1 0
done | awk -v missing="$missing" '{ passed += $1; failed += $2; skipped += $3 }
    END {
        if (passed + failed == 0)
            print "nothing was tested" (missing != "" ? ": as root, apt-get install " missing : "")
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed != 0 || passed == 0
    }'
