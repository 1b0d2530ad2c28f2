#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that each math function, built position-independent at -O2 and -Os, can be carried by a
# relocatable image: no absolute word in its text, no data at all, and no undefined symbol but
# compiler helpers.
#
# usage: pic_check.sh [--sizes] CORE [FUNCTION...]      CORE: m0 m3 m4 m7 m23 m33 m55
# --sizes prints the .text bytes at -Os too. CROSS selects the tool prefix.
set -eu

cross=${CROSS:-arm-none-eabi-}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
math=$(CDPATH='' cd -- "$here/../../runtime/math" && pwd)
pic='-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative'
build='-std=c11 -ffreestanding -ffp-contract=off -fno-math-errno -fno-builtin'
warn='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror'
# R_ARM_GOT_BREL would also be position-independent, but no function has a table, so none depends on r9.
kinds='R_ARM_THM_CALL|R_ARM_THM_JUMP24|R_ARM_PREL31'
helpers='__aeabi_[a-z0-9]*|__clz[sd]i2|memcpy|memset'

if ! command -v "${cross}gcc" >/dev/null; then
    echo "pic_check: SKIP: no ${cross}gcc (install gcc-arm-none-eabi)" >&2
    exit "${RP_REQUIRE_TOOLS:-0}"
fi

sizes=no
if [ "$1" = --sizes ]; then
    sizes=yes
    shift
fi
core=$1
shift
case $core in
m0 | m3 | m23) flags="-mcpu=cortex-$core -mfloat-abi=soft" ;;
m4) flags='-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard' ;;
m7) flags='-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard' ;;
m33) flags='-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard' ;;
m55) flags='-mcpu=cortex-m55 -mfloat-abi=hard' ;;
*) echo "pic_check: unknown core $core" >&2 && exit 2 ;;
esac
[ $# -gt 0 ] || set -- $(sed -n 's/^    X(\([a-z0-9_]*\),.*/\1/p' "$math/functions.h")

# Prints "NAME: complaint" about the objects NAME.o in this folder, each of which defines the function NAME. All
# objects are read at once, because starting programs is the main cost.
complaints() {
    "${cross}readelf" -rW ./*.o | awk -v allowed="^($kinds)\$" '
        /^File: / { name = $2; gsub(/^\.\/|\.o$/, "", name) }
        /^Relocation section/ { section = $3 }
        $3 ~ /^R_ARM_/ && section !~ /debug/ && section != "'\''.rel.ARM.exidx'\''" &&
            $3 !~ allowed { print name ": " section " holds " $3 " against " $5 }'
    "${cross}nm" -A ./*.o | awk -v allowed="^($helpers)\$" '
        { name = $1; sub(/^\.\//, "", name); sub(/\.o:.*/, "", name); type = $(NF - 1); symbol = $NF }
        type == "U" && symbol !~ allowed { print name ": undefined symbol " symbol }
        type ~ /^[A-TV-Z]$/ && symbol != name && symbol !~ /^__div[sd]f3$/ { print name ": defines " symbol }
        symbol == name && type == "T" { defined[name] = 1 }
        { seen[name] = 1 }
        END { for (name in seen) if (!defined[name]) print name ": is not defined" }'
    "${cross}size" -A ./*.o | awk '
        / +:$/ { name = $1; sub(/^\.\//, "", name); sub(/\.o$/, "", name) }
        /^\.(data|bss|rodata)/ && $2 > 0 { print name ": " $1 " is not empty" }'
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for level in -O2 -Os; do
    mkdir "$work/$level"
    cd "$work/$level"
    # the compiler names those that do not compile; they have no object
    "${cross}gcc" $flags -mthumb $level $pic $build $warn -c $(printf "$math/%s.c " "$@") || true
    for name in "$@"; do
        [ -e "$name.o" ] || echo "$name: does not compile"
    done >found
    complaints >>found
    sed "s/\$/ ($core $level)/" found >>"$work/all"
    if [ $sizes$level = yes-Os ]; then "${cross}size" ./*.o; fi
done
sed 's/^/FAIL /' "$work/all"
failed=$(cut -d: -f1 "$work/all" | sort -u | wc -l)
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
