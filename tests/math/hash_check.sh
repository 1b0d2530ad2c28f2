#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the results of every math function over a fixed sample have the hashes of hashes.want,
# which the emulated cores also have to give. usage: hash_check.sh BUILD_DIR
set -eu
here=$(dirname "$0")
mkdir -p "$1"
${CC:-cc} -std=c11 -O2 -ffp-contract=off -fno-builtin -o "$1/print_hashes" "$here/print_hashes.c" \
    "$here/target_math.c" "$here"/../../runtime/math/*.c
"$1/print_hashes" > "$1/hashes"
diff -u "$here/hashes.want" "$1/hashes"
echo "$(wc -l < "$1/hashes") passed, 0 failed"
