#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Neural-ART loader with the stand-in pack as several releases of LL_ATON, runs its tests
# on an emulated Cortex-M55, and its checks that only need compilers.
#   npu_loader.sh MICRO-DEV[-GENERATION]...    releases 1.1.MICRO-DEV; GENERATION names the call-backs of a
#       release that the loader does not know
# Environment: BUILD (build folder, default a temporary one), CI (if set, a missing tool is a failure
# instead of a skip). Exit status 0: all passed or skipped.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
runtime=$root/runtime
harness=$root/templates/harness
stand_in=$root/tests/fixtures/npu/pack
size_limit=5530 # bytes of the loader at -Os for Cortex-M55, its table included
core='-mcpu=cortex-m55 -mthumb -mfloat-abi=hard'
pic='-fpic -msingle-pic-base -mpic-register=r9 -mno-pic-data-is-text-relative'
config='-DLL_ATON_RELOC_CONFIG="npu_loader_config.h"'
warn='-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Wformat=2
    -Wswitch-enum -Wnull-dereference -Werror'

python=${PYTHON:-python3}
for tool in arm-none-eabi-gcc qemu-system-arm "$python"; do
    if ! command -v "$tool" >/dev/null; then
        echo "npu_loader.sh: SKIPPED: $tool is missing" >&2
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
libc_headers=$(dirname "$(echo '#include <string.h>' | arm-none-eabi-gcc -M -x c - |
    tr ' ' '\n' | grep '/string\.h$' | head -n 1)")

fail() {
    echo "npu_loader.sh: FAILED: $*" >&2
    failed=1
}

# Where a board has its stack (field 2) and its firmware (field 4), from boards.h.
number() { # FIELD
    printf '#include "boards.h"\n#undef UINT32_C\n#define UINT32_C(v) v\n%s\n%s\n' \
        '#define X(board, stack, plan, firmware) @board:stack:plan:firmware' 'HARNESS_PLACES(X)' |
        arm-none-eabi-gcc -E -P -I"$harness" -x c - | tr '@' '\n' |
        awk -F: -v key=M55 -v field="$1" '$1 == key { print $field; exit }'
}

pack() { # MICRO DEV [GENERATION]: the stand-in as that release, in ./pack
    mkdir -p pack
    cp "$stand_in"/Middlewares/ST/AI/Npu/ll_aton/*.h \
        "$stand_in"/scripts/N6_reloc/resources/platform/stm32n6/*.h pack
    sed -e "s/VERSION_MICRO (1)/VERSION_MICRO ($1)/" -e "s/VERSION_DEV   (14)/VERSION_DEV ($2)/" \
        -e "s/v1.1.1-14/v1.1.$1-$2/" pack/ll_aton_version.h >version && mv version pack/ll_aton_version.h
    grep -q "VERSION_DEV *($2)" pack/ll_aton_version.h || fail "release 1.1.$1-$2"
    aton="-DLL_ATON_RT_RELOC -DLL_ATON_PLATFORM=LL_ATON_PLAT_STM32N6
        -DLL_ATON_OSAL=LL_ATON_OSAL_BARE_METAL -DLL_ATON_EB_DBG_INFO -isystem pack
        ${3:+-DLL_ATON_RELOC_GENERATION=$3}"
}

# The loader as a source and a header, as `generate` writes it.
made=$(cd "$BUILD" && pwd)/made
make -s --no-print-directory -C "$root" B="$made" loaders || fail "the loader as one file"
whole=$made/loader

image() { # NAME IMAGE_ID ACTIV CODE_WORDS MKNPUIMAGE-OPTIONS...
    name=$1
    arm-none-eabi-gcc -std=c11 -Wall -Wextra -Werror -Os $core $pic $aton -ffreestanding \
        -fno-common -DIMAGE_ID="$2" -DIMAGE_ACTIV="$3" -DIMAGE_CODE_WORDS="$4" -I"$here" -nostdlib \
        -Wl,--emit-relocs,-T,"$here/npu_loader_image.ld" "$here/npu_loader_image.c" -o "$name.elf"
    shift 4
    "$python" "$here/mknpuimage.py" "$name.elf" "$name.bin" --cpuid D22 "$@"
}

images() { # OPTIONS
    image one 3 0 0 --trailer "$@"
    image two 1000 0 0 "$@"
    image split 3 0 0 --trailer --split split_params.bin "$@"
    image acts 5 1 0 --trailer "$@"
    image code 9 0 1 --trailer --code-words "$@"
}

firmware() { # NAME LOADER DEFINES
    arm-none-eabi-gcc $warn -Wcast-align=strict -Os -g -ffixed-r9 $core $aton "$config" $3 \
        -DPORT_FPU=1 -I"$runtime" -I"$here" -I"$harness" -I. --specs=nosys.specs -nostartfiles \
        -Wl,--defsym=HARNESS_VECTORS=0 \
        -Wl,--defsym=HARNESS_ROM="$(number 4)" -Wl,--defsym=HARNESS_ROM_SIZE=0x3f000 \
        -Wl,--defsym=HARNESS_RAM="$(($(number 2) + 0x20000))" \
        -Wl,--defsym=HARNESS_RAM_SIZE=0x40000 \
        -Wl,--defsym=HARNESS_STACK="$(number 2)" -Wl,--defsym=HARNESS_STACK_SIZE=0x20000 \
        -Wl,-z,noexecstack -Wl,-T,"$here/firmware.ld" \
        "$here/npu_loader_test.c" "$here/npu_loader_refuse.c" "$here/npu_loader_pools.c" \
        "$here/npu_loader_changes.c" "$here/npu_loader_kit.c" \
        "$2" "$harness/semihost.c" "$here/loader_port.c" "$here/npu_loader_blobs.S" -o "$1.elf"
}

run() { # NAME
    status=0
    timeout 1800 qemu-system-arm -M mps3-an547 -kernel "$1.elf" -display none -serial none \
        -monitor none -parallel none -nodefaults -no-reboot \
        -semihosting-config enable=on,target=native </dev/null >"$1.log" 2>&1 || status=$?
    if [ $status = 0 ] && grep -q '^passed$' "$1.log"; then
        echo "$release $1: passed"
    else
        cat "$1.log"
        fail "$release $1: exit status $status"
    fi
}

test_release() { # MICRO DEV [GENERATION]
    release=1.1.$1-$2
    mkdir -p "$BUILD/$release"
    cd "$BUILD/$release"
    pack "$@"
    compile
    images
    firmware loader "$runtime/ll_aton_reloc_network.c" ''
    run loader
    test -z "${3:-}" || return 0
    firmware loader_default "$runtime/ll_aton_reloc_network.c" -DNPU_LOADER_DEFAULT
    run loader_default
    if command -v clang >/dev/null; then
        clang --target=arm-none-eabi -Os -fshort-enums -ffixed-r9 $core $aton "$config" \
            -isystem "$libc_headers" -I"$here" -c "$runtime/ll_aton_reloc_network.c" -o clang.o
        firmware loader_clang clang.o -DROUNDS=500
        run loader_clang
    fi
    images --flags 7 # for a firmware that is secure and uses the other settings
    firmware loader_alt "$whole/ll_aton_reloc_network.c" '-mcmse -DNPU_LOADER_ALT -DROUNDS=500'
    run loader_alt
    # link-time optimisation must find the functions that the table of such a firmware names
    firmware loader_lto "$runtime/ll_aton_reloc_network.c" \
        '-flto -mcmse -DNPU_LOADER_ALT -DROUNDS=100'
    run loader_lto
}

# Warnings with both compilers, symbols, size; the public header in C++.
compile() {
    arm-none-eabi-gcc $warn -Wcast-align=strict -Os $core $aton \
        -c "$runtime/ll_aton_reloc_network.c" -o size.o || fail "gcc $release"
    arm-none-eabi-gcc $warn -Wcast-align=strict -O2 $core $aton -mcmse -DNDEBUG \
        -c "$runtime/ll_aton_reloc_network.c" -o fast.o || fail "gcc -O2 $release"
    others=$(arm-none-eabi-nm -u size.o fast.o |
        awk '/ U /&&$2 !~ /^(memcpy|memset|_*LL_ATON_LIB_.*|[mn][cp]u_cache_.*)$/ { print $2 }')
    test -z "$others" || fail "undefined symbols: $others"
    printf '#include "ll_aton_reloc_loader.h"\n' | arm-none-eabi-g++ -std=c++11 -Wall -Wextra \
        -Werror $core $aton -D_Static_assert=static_assert -I"$runtime" -fsyntax-only -x c++ - || fail "C++ $release"
    if command -v clang >/dev/null; then
        clang --target=arm-none-eabi $warn -Wcast-align -Os -fshort-enums $core $aton \
            -isystem "$libc_headers" -c "$runtime/ll_aton_reloc_network.c" -o clang_size.o ||
            fail "clang $release"
    else
        echo "npu_loader.sh: SKIPPED: clang is missing" >&2
        test -z "${CI:-}" || fail "clang is missing"
    fi
    bytes=$(arm-none-eabi-size size.o | awk 'NR == 2 { print $1 + $2 }')
    echo "$release size: $bytes bytes"
    test "$bytes" -le $size_limit || fail "more than $size_limit bytes"
    both_headers
    case $aton in
    *GENERATION*) ;;
    *) pack_of_another_release ;;
    esac
}

# The pack's header and that of the Cortex-M loader in one file, with warnings for both.
both_headers() {
    flags="-Wall -Wextra -Wpedantic -Werror $core $(echo $aton | sed 's/-isystem pack/-Ipack/') -fsyntax-only"
    for names in 'ai_reloc_network ll_aton_reloc_network' 'll_aton_reloc_network ai_reloc_network' \
        'ai_reloc_network ll_aton_reloc_loader' 'll_aton_reloc_loader ai_reloc_network'; do
        for folder in "$runtime" "$whole"; do
            set -- "-I$folder" "-DFIRST=\"${names% *}.h\"" "-DSECOND=\"${names#* }.h\"" "$here/npu_both_headers.c"
            arm-none-eabi-gcc -std=c11 $flags "$@" || fail "gcc $names"
            arm-none-eabi-g++ -std=c++11 $flags -D_Static_assert=static_assert -x c++ "$@" || fail "g++ $names"
            ! command -v clang >/dev/null || clang --target=arm-none-eabi -std=c11 -fshort-enums $flags \
                -isystem "$libc_headers" "$@" || fail "clang $names"
        done
    done
}

# An unknown release is a compile-time error that says what to do.
pack_of_another_release() {
    mkdir -p unknown
    cp pack/*.h unknown
    sed -i 's/VERSION_MICRO ([0-9]*)/VERSION_MICRO (9)/' unknown/ll_aton_version.h
    flags=$(echo $aton | sed 's/-isystem pack/-isystem unknown/')
    ! arm-none-eabi-gcc -std=c11 $core $flags -fsyntax-only "$runtime/ll_aton_reloc_network.c" \
        2>unknown.log || fail "an unknown release compiles"
    grep -q 'define LL_ATON_RELOC_GENERATION' unknown.log || fail "unknown release: no advice"
}

for r in "$@"; do
    test_release $(echo "$r" | tr - ' ')
done
exit $failed
