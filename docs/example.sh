#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the example of the README and prints it as it stands there. usage: example.sh PROGRAM
# Run in the root of the source; writes into a temporary folder. Fails when a command does.
set -euo pipefail
program=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ln -s "$PWD/examples" "$dir/examples"
cd "$dir"
relocpack() { "$program" "$@"; }
while IFS= read -r line; do
    printf '    $ %s\n' "$line"
    eval "$line" > printed
    sed 's/^/    /' printed
done <<'EXAMPLE'
relocpack generate -i examples/digits/digits_float.json --target stm32h7 -o out | grep 'P.* size'
relocpack verify out/digits_float_rel.bin | tail -n 1
ls out/*.bin
EXAMPLE
