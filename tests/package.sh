#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian package in a copy, has lintian check it, and packages a model with what is in it.
# usage: package.sh FOLDER     which is replaced
set -eu
folder=$1
version=$(sed -n 's/^#define RP_VERSION "\(.*\)"/\1/p' cli/version.h)
copy=$folder/relocpack-$version
rm -rf "$folder"
mkdir -p "$copy"
# In a source archive, there is no git; then it is all but what was built.
{ git ls-files -co --exclude-standard 2>/dev/null || find . -path ./build -prune -o -type f -print; } | tar c -T - | tar x -C "$copy"
folder=$(cd "$folder" && pwd)

failed() {
    cat "$folder/log"
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
}
# The package has flags of its own.
(cd "$copy" && env -u MAKEFLAGS -u CFLAGS -u CI dpkg-buildpackage -us -uc) > "$folder/log" 2>&1 || failed
lintian --allow-root --fail-on error,warning "$folder"/*.changes > "$folder/log" 2>&1 || failed
[ "$(dpkg-deb -f "$folder"/relocpack_*.deb Version)" = "$version" ] || {
    echo "debian/changelog does not say version $version" > "$folder/log"
    failed
}
dpkg-deb -x "$folder"/relocpack_"$version"_*.deb "$folder/root"
tool=$folder/root/usr/bin/relocpack
{
    "$tool" generate -q -i examples/digits/digits_int8.json --target stm32h7 -o "$folder/out" &&
        "$tool" verify "$folder/out/digits_int8_rel.bin" &&
        [ -e "$folder/root/usr/share/man/man1/relocpack-generate.1.gz" ]
} > "$folder/log" 2>&1 || failed
grep -q "12 of 12" "$folder/log" || failed
echo "1 passed, 0 failed, 0 skipped"
