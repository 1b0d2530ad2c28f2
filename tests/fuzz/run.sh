#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a fuzz target with freshly made seeds.
# usage: run.sh FOLDER NAME [OPTION | CORPUS]...     FOLDER has fuzz_NAME and make_seeds and receives findings
# Options are those of libFuzzer. A folder CORPUS grows; without one, nothing is kept. Exit status 0: nothing found.
set -eu
folder=$1 name=$2
shift 2
rm -rf "$folder/seeds/$name"
"$folder/make_seeds" "$folder/seeds" "$name"
exec "$folder/fuzz_$name" -timeout=20 -rss_limit_mb=3000 -artifact_prefix="$folder/finding-" "$@" "$folder/seeds/$name"
