#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the loader's tests on emulated cores, and its checks that only need compilers.
#   loader.sh [CORE...]    CORE: m0 m3 m4 m7 m33 m55, default all
#   loader.sh faults       all faults of loader_faults.c, of which m4 has a sample
# Environment: BUILD (build folder, default a temporary one), CI (if set, a missing tool is a failure
# instead of a skip). Exit status 0: all passed or skipped.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
runtime=$root/runtime
harness=$root/templates/harness
size_limit=2956 # bytes of the loader without a heap at -Os for Cortex-M4, everything included
heap_limit=3072 # the same with a heap
pic='-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative'
warn='-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Wformat=2
    -Wswitch-enum -Wnull-dereference -Werror'

python=${PYTHON:-python3}
for tool in arm-none-eabi-gcc qemu-system-arm "$python"; do
    if ! command -v "$tool" >/dev/null; then
        echo "loader.sh: SKIPPED: $tool is missing" >&2
        test -z "${CI:-}"
        exit
    fi
done

if [ -n "${BUILD:-}" ]; then
    mkdir -p "$BUILD"
else
    BUILD=$(mktemp -d)
    trap 'rm -rf "$BUILD"' EXIT
fi
failed=0
parts=$runtime/ai_reloc_network.c
loader=$parts # or an object file of it, or the loader as one source
headers=$runtime
headers_first=''
libc_headers=$(dirname "$(echo '#include <string.h>' | arm-none-eabi-gcc -M -x c - |
    tr ' ' '\n' | grep '/string\.h$' | head -n 1)")

fail() {
    echo "loader.sh: FAILED: $*" >&2
    failed=1
}

# Where a board has its stack (field 2) and its firmware (field 4), from boards.h.
number() { # ID FIELD
    printf '#include "boards.h"\n#undef UINT32_C\n#define UINT32_C(v) v\n%s\n%s\n' \
        '#define X(board, stack, plan, firmware) @board:stack:plan:firmware' 'HARNESS_PLACES(X)' |
        arm-none-eabi-gcc -E -P -I"$harness" -x c - | tr '@' '\n' |
        awk -F: -v key="$1" -v field="$2" '$1 == key { print $field; exit }'
}

flags_of() { # FPU: 1 when there is one
    vectors=0 global=''
    case $1 in
    m0) id=M0 part=C20 fpu=0 machine=microbit global='-global nrf51-soc.sram-size=0x2000000' float='-mfloat-abi=soft' ;;
    m3) id=M3 part=C23 fpu=0 machine=mps2-an385 float='-mfloat-abi=soft' ;;
    m4) id=M4 part=C24 fpu=1 machine=mps2-an386 float='-mfpu=fpv4-sp-d16 -mfloat-abi=hard' ;;
    m7) id=M7 part=C27 fpu=1 machine=mps2-an500 float='-mfpu=fpv5-d16 -mfloat-abi=hard' ;;
    m33) id=M33 part=D21 fpu=1 machine=mps2-an505 vectors=0x10000000 float='-mfpu=fpv5-sp-d16 -mfloat-abi=hard' ;;
    m55) id=M55 part=D22 fpu=1 machine=mps3-an547 float='-mfloat-abi=hard' ;;
    *) echo "loader.sh: unknown core $1" >&2 && exit 2 ;;
    esac
    core_flags="-mcpu=cortex-$1 -mthumb $float"
    rom=$(number "$id" 4) stack=$(number "$id" 2)
}

# The loader as a source and a header, as `generate` writes it.
made=$(cd "$BUILD" && pwd)/made
make -s --no-print-directory -C "$root" B="$made" loaders || fail "the loader as one file"
whole=$made/loader

image() { # NAME IMAGE_ID RUNTIME_MAJOR MKIMAGE-OPTIONS...
    name=$1 number=$2 major=$3
    shift 3
    arm-none-eabi-gcc -std=c11 -Wall -Wextra -Werror -Os $core_flags $pic -ffreestanding -fno-common \
        -DIMAGE_ID="$number" -DIMAGE_MAJOR="$major" -I"$runtime" -nostdlib \
        -Wl,--emit-relocs,-T,"$here/loader_image.ld" "$here/loader_image.c" -o "$name.elf"
    test "$fpu" = 0 || set -- --fpu "$@"
    "$python" "$here/mkimage.py" "$name.elf" "$name.bin" --cpuid "$part" "$@"
}

firmware() { # NAME DEFINES SOURCES...
    name=$1 defines=$2
    shift 2
    stub=0x$(arm-none-eabi-nm two.elf | sed -n 's/^2\([0-9a-f]*\) . image_refuse$/\1/p')
    arm-none-eabi-gcc $warn -Wcast-align=strict -Os -g -ffixed-r9 $core_flags $defines \
        -DPORT_FPU="$fpu" -DPORT_STUB_OFFSET="$stub" \
        $headers_first -I"$headers" -I"$here" -I"$harness" -I. --specs=nosys.specs -nostartfiles \
        -Wl,--defsym=HARNESS_VECTORS="$vectors" \
        -Wl,--defsym=HARNESS_ROM="$rom" -Wl,--defsym=HARNESS_ROM_SIZE=0x3f000 \
        -Wl,--defsym=HARNESS_RAM="$((stack + 0x20000))" -Wl,--defsym=HARNESS_RAM_SIZE=0x40000 \
        -Wl,--defsym=HARNESS_STACK="$stack" -Wl,--defsym=HARNESS_STACK_SIZE=0x20000 \
        -Wl,-z,noexecstack -Wl,-T,"$here/firmware.ld" "$@" \
        "$loader" "$harness/semihost.c" "$here/loader_port.c" "$here/loader_blobs.S" \
        -o "$name.elf"
}

run() { # NAME QEMU-OPTIONS...
    program=$1
    shift
    status=0
    timeout 1800 qemu-system-arm -M "$machine" $global -kernel "$program.elf" "$@" -display none \
        -serial none -monitor none -parallel none -nodefaults -no-reboot \
        -semihosting-config enable=on,target=native </dev/null >"$program.log" 2>&1 || status=$?
    if [ $status = 0 ] && grep -q '^passed$' "$program.log"; then
        echo "$core $program: passed"
    else
        cat "$program.log"
        fail "$core $program: exit status $status"
    fi
}

# Two firmwares: the secure one starts the other, which calls its services through gateways.
trustzone() {
    firmware loader_secure "$config -DLOADER_LEVELS -mcmse -DSECURE_GATEWAYS=0x10040000u" \
        "$here/loader_secure.c" "$here/loader_trial.c" "$here/loader_kit.c" \
        -Wl,--section-start=.gnu.sgstubs=0x10040000 -Wl,--cmse-implib,--out-implib=gateways.o
    vectors=0x80000000 rom=0x80001000 stack=0x80100000
    firmware loader_nonsecure -DAI_RELOC_NO_MALLOC "$here/loader_nonsecure.c" "$here/loader_kit.c" \
        gateways.o
    flags_of "$core"
    run loader_secure -icount shift=6 -device loader,file=loader_nonsecure.elf
}

# Glitches in the loader, of which each so many-th is tried: hardened, none may get through.
faults() { # EVERY
    for hardened in -DAI_RELOC_HARDENED ''; do
        arm-none-eabi-gcc $warn -Wcast-align=strict -Os -g -ffixed-r9 $core_flags $hardened \
            -DAI_RELOC_NO_MALLOC -DAI_RELOC_REQUIRE_TRAILER -c "$loader" -o faults_loader.o
        arm-none-eabi-objcopy --rename-section .text=loader_code --set-section-alignment .text=4096 faults_loader.o
        loader=faults_loader.o
        firmware "loader_faults${hardened:+_hardened}" -DFAULT_PLAN_AT=0x20200000u -DFAULT_HASHES=0 "$here/loader_faults.c" "$here/loader_faults_bad.c" "$here/loader_kit.c"
        loader=$parts
        test -n "$hardened" && most=0 || most=6000
        "$python" "$here/faults.py" "$name.elf" faults.bin --every "$1" --installed $most --outside $most
        run "$name" -icount shift=6,sleep=off -device loader,file=faults.bin,addr=0x20200000
        sed -n "s/^[0-9]* faults/$core ${hardened:+hardened, }&/p" "$name.log"
    done
}

# Two M33 on one board; the first has no FPU.
two_cores() {
    mkdir -p soft
    cd soft
    core_flags='-mcpu=cortex-m33 -mthumb -mfloat-abi=soft' fpu=0 machine=mps2-an521
    image one 3 9 --trailer
    image two 1000 7 --weights-align 16
    image split 3 9 --trailer --split split_weights.bin
    firmware loader_cores -DAI_RELOC_NO_MALLOC "$here/loader_cores.c" "$here/loader_kit.c"
    run loader_cores
    cd ..
    flags_of "$core"
}

test_on() { # CORE
    core=$1
    flags_of "$core"
    mkdir -p "$BUILD/$core"
    cd "$BUILD/$core"
    image one 3 9 --trailer
    image two 1000 7 --weights-align 16
    image split 3 9 --trailer --split split_weights.bin
    config='-DAI_RELOC_CONFIG="loader_config.h"'
    sources="loader_test.c loader_mutate.c loader_trust.c loader_kit.c loader_observe.c"
    firmware loader "$config" $(printf "$here/%s " $sources)
    firmware loader_change "$config" "$here/loader_change.c" "$here/loader_kit.c"
    firmware loader_cost -DAI_RELOC_NO_MALLOC "$here/loader_cost.c"
    image two 1000 7 --weights-align 16 --trailer
    loader=$whole/ai_reloc_network.c
    headers_first=-I$whole # the tests also include a part
    firmware loader_alt "$config -DLOADER_ALT -DAI_RELOC_HARDENED -DAI_RELOC_REPORT_MACC64=0" "$here/loader_alt.c" \
        "$here/loader_kit.c" "$here/loader_observe.c"
    headers_first='' headers=$whole
    firmware loader_snippets '' "$here/loader_snippets.c"
    loader=$parts headers=$runtime
    image two 1000 7 --weights-align 16
    levels=$core # an Armv6-M core has no MPU, and its code is always privileged
    test "$core" != m0 || levels=''
    if [ -n "$levels" ]; then
        firmware loader_levels "$config -DLOADER_LEVELS" "$here/loader_levels.c" \
            "$here/loader_trial.c" "$here/loader_kit.c"
        firmware loader_levels_default -DAI_RELOC_NO_MALLOC "$here/loader_levels.c" \
            "$here/loader_trial.c" "$here/loader_kit.c"
        firmware loader_flicker -DAI_RELOC_NO_MALLOC "$here/loader_flicker.c" "$here/loader_trial.c" \
            "$here/loader_kit.c"
    fi
    run loader
    run loader_change -icount shift=6
    run loader_cost -icount shift=6
    sed -n "s/^[a4f].*: .*/$core &/p" loader_cost.log
    run loader_alt
    run loader_snippets
    if [ -n "$levels" ]; then
        run loader_levels
        run loader_levels_default
        run loader_flicker -icount shift=6
    fi
    test "$core" != m4 || faults 16
    test "$core" != m33 || trustzone
    test "$core" != m33 || two_cores
    if command -v clang >/dev/null; then
        clang --target=arm-none-eabi -Os -fshort-enums -ffixed-r9 $core_flags "$config" -isystem "$libc_headers" \
            -I"$here" -c "$loader" -o loader_clang.o
        loader=loader_clang.o
        firmware loader_clang "$config" $(printf "$here/%s " $sources)
        loader=$parts
        run loader_clang
    fi
}

# Warnings with both compilers, symbols, size; the public header in C++.
compile() { # CORE
    flags_of "$1"
    cd "$BUILD"
    arm-none-eabi-gcc $warn -Wcast-align=strict -Os $core_flags -DAI_RELOC_NO_MALLOC \
        -c "$runtime/ai_reloc_network.c" -o "loader-$1.o" || fail "gcc $1"
    arm-none-eabi-gcc $warn -Wcast-align=strict -O2 $core_flags \
        -c "$runtime/ai_reloc_network.c" -o "loader-heap-$1.o" || fail "gcc $1 with heap"
    others=$(arm-none-eabi-nm -u "loader-$1.o" "loader-heap-$1.o" |
        awk '/ U /&&$2 !~ /^(memcpy|memmove|memset|memcmp|malloc|free)$/ { print $2 }')
    test -z "$others" || fail "undefined symbols: $others"
    ! arm-none-eabi-nm -u "loader-$1.o" | grep -q 'malloc\|free' || fail "heap without a heap"
    printf '#include "ai_reloc_network.h"\n#include "ai_reloc_tensor.h"\n' | arm-none-eabi-g++ -std=c++11 -Wall -Wextra -Wpedantic \
        -Werror $core_flags -I"$runtime" -fsyntax-only -x c++ - || fail "C++ $1"
    if command -v clang >/dev/null; then
        clang --target=arm-none-eabi $warn -Wcast-align -Os $core_flags -DAI_RELOC_NO_MALLOC \
            -isystem "$libc_headers" \
            -c "$runtime/ai_reloc_network.c" -o "loader-clang-$1.o" || fail "clang $1"
    else
        echo "loader.sh: SKIPPED: clang is missing" >&2
        test -z "${CI:-}" || fail "clang is missing"
    fi
    bytes=$(arm-none-eabi-size "loader-$1.o" | awk 'NR == 2 { print $1 + $2 }')
    arm-none-eabi-gcc $warn -Wcast-align=strict -Os $core_flags -DAI_RELOC_NO_MALLOC \
        -c "$whole/ai_reloc_network.c" -o "whole-$1.o" || fail "gcc $1, one file"
    test "$bytes" = "$(arm-none-eabi-size "whole-$1.o" | awk 'NR == 2 { print $1 + $2 }')" ||
        fail "the loader as one file has another size"
    arm-none-eabi-gcc $warn -Os $core_flags -c "$runtime/ai_reloc_network.c" -o "loader-os-$1.o" ||
        fail "gcc $1 with heap, small"
    for level in -O0 -O2 -O3; do
        arm-none-eabi-gcc $warn $level $core_flags -DAI_RELOC_HARDENED -c "$runtime/ai_reloc_network.c" -o hardened.o ||
            fail "gcc $1 hardened, $level"
    done
    with_heap=$(arm-none-eabi-size "loader-os-$1.o" | awk 'NR == 2 { print $1 + $2 }')
    echo "$1 size: $bytes bytes, with the heap $with_heap"
    test "$1" != m4 || test "$bytes" -le $size_limit || fail "more than $size_limit bytes"
    test "$1" != m4 || test "$with_heap" -le $heap_limit || fail "more than $heap_limit bytes"
}

if [ "${1:-}" = faults ]; then
    core="m4"
    flags_of m4
    cd "$BUILD"
    for name in one two split; do image $name 3 9 --trailer; done
    cp split.bin split_weights.bin
    faults 1
    exit $failed
fi
test $# -gt 0 || set -- m0 m3 m4 m7 m33 m55
for c in "$@"; do
    compile "$c"
    test_on "$c"
done
exit $failed
