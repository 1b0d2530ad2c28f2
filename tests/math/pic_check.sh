#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that each math function, built position-independent for each core at -O2 and -Os, can be
# carried by a relocatable image: no absolute word in its text, no data at all, and no undefined
# symbol but compiler helpers.
#
# usage: pic_check.sh [--sizes] [function...]
# --sizes prints the .text bytes on cortex-m4 at -Os too. CROSS selects the tool prefix.
set -eu

cross=${CROSS:-arm-none-eabi-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
math=$here/../../runtime/math
pic='-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative'
build='-std=c11 -ffreestanding -ffp-contract=off -fno-math-errno -fno-builtin'
warn='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror'
# R_ARM_GOT_BREL would be position-independent too, but no function has a table: none depends on r9.
kinds='R_ARM_THM_CALL|R_ARM_THM_JUMP24|R_ARM_PREL31'
helpers='__aeabi_[a-z0-9]*|__clz[sd]i2|memcpy|memset'

if ! command -v "${cross}gcc" >/dev/null; then
    echo "pic_check: SKIP: no ${cross}gcc (install gcc-arm-none-eabi)" >&2
    exit "${RP_REQUIRE_TOOLS:-0}"
fi

core_flags() {
    case $1 in
    m3) echo '-mcpu=cortex-m3 -mfloat-abi=soft' ;;
    m4) echo '-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard' ;;
    m7) echo '-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard' ;;
    m33) echo '-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard' ;;
    m55) echo '-mcpu=cortex-m55 -mfloat-abi=hard' ;;
    esac
}

# Complaints about object $1, which defines function $2: one per line.
complaints() {
    "${cross}readelf" -rW "$1" | awk -v allowed="^($kinds)\$" '
        /^Relocation section/ { section = $3 }
        $3 ~ /^R_ARM_/ && section !~ /debug/ && section != "'\''.rel.ARM.exidx'\''" &&
            $3 !~ allowed { print section " holds " $3 " against " $5 }'
    "${cross}nm" -u "$1" | awk -v allowed="^($helpers)\$" \
        '$2 !~ allowed { print "undefined symbol " $2 }'
    "${cross}nm" -g --defined-only "$1" | awk -v name="$2" \
        '$3 != name { print "defines " $3 }'
    "${cross}size" -A "$1" | awk '/^\.(data|bss|rodata)/ && $2 > 0 { print $1 " is not empty" }'
}

sizes=no
if [ "${1:-}" = --sizes ]; then
    sizes=yes
    shift
fi
[ $# -gt 0 ] || set -- $(sed -n 's/^    X(\([a-z0-9]*\),.*/\1/p' "$math/functions.h")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
for name in "$@"; do
    bad=
    for core in m3 m4 m7 m33 m55; do
        for level in -O2 -Os; do
            # shellcheck disable=SC2046,SC2086
            if ! "${cross}gcc" $(core_flags $core) -mthumb $level $pic $build $warn \
                -c "$math/$name.c" -o "$work/o"; then
                echo "FAIL $name $core $level: does not compile"
                bad=yes
                continue
            fi
            complaints "$work/o" "$name" >"$work/complaints"
            if [ -s "$work/complaints" ]; then
                sed "s/^/FAIL $name $core $level: /" "$work/complaints"
                bad=yes
            fi
            if [ $sizes = yes ] && [ $core = m4 ] && [ $level = -Os ]; then
                "${cross}size" "$work/o" | awk -v name="$name" 'NR == 2 { print name, $1 }'
            fi
        done
    done
    if [ -z "$bad" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
