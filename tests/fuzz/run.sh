#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a fuzz target with freshly made seeds.
# usage: run.sh FOLDER NAME [OPTION | CORPUS]...     FOLDER has fuzz_NAME and make_seeds and receives findings
#        run.sh --replay FOLDER NAME RUNS            FOLDER has replay_NAME: the seeds and RUNS mutations, without libFuzzer
# Options are those of libFuzzer. A folder CORPUS grows; without one, nothing is kept. Exit status 0: nothing found.
set -eu
replay=
[ "$1" != --replay ] || { replay=yes; shift; }
folder=$1 name=$2
shift 2
seeds=$folder/seeds${replay:+-replay}
rm -rf "${seeds:?}/$name"
"$folder/make_seeds" "$seeds" "$name"
[ -z "$replay" ] || exec "$folder/replay_$name" "$1" "$seeds/$name"
exec "$folder/fuzz_$name" -timeout=20 -rss_limit_mb=3000 -artifact_prefix="$folder/finding-" "$@" "$seeds/$name"
