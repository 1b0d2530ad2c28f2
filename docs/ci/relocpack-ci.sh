#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packages models, proves that the images are right, compares them with the base branch's, and writes what a merge
# request shows. docs/ci/github/action.yml and docs/ci/gitlab.yml call it; it runs anywhere else, too.
#
# In, by the environment:
#   RELOCPACK_MODELS         generated code or manifests, one a line
#   RELOCPACK_OPTIONS        options of generate for all of them, quoted as in a response file: --target stm32h7
#   RELOCPACK_BUDGET         file with budgets (generate --budget-file); empty: none
#   RELOCPACK_VERIFY         options of verify, separated by blanks: --min-coverage 60
#   RELOCPACK_LIMITS         what may grow (diff --fail-on): flash=+2%,ram_xip=+512; empty: anything
#   RELOCPACK_BASE           folder with what this script wrote for the base branch; it need not exist
#   RELOCPACK_OUT            folder for what it writes, which is emptied before (default: relocpack-ci)
# Out, in that folder: comment.md, index.html, and for each model NAME/ (image and loader), NAME.json (report),
#   NAME.xml (JUnit), NAME.sarif, NAME.log, and on GitLab NAME.quality.json
# Exit status: 0, or that of the first command that failed; the other models are done nevertheless.
set -u
out=${RELOCPACK_OUT:-relocpack-ci}
base=${RELOCPACK_BASE:-}
status=0
failed() { [ "$status" -ne 0 ] || status=$1; }

if [ -e "$out" ] && [ ! -e "$out/comment.md" ]; then
    echo "relocpack-ci: '$out' is not empty and not of this script: RELOCPACK_OUT names another folder" >&2
    exit 2
fi
if [ -n "$base" ] && [ -d "$base" ] && [ -d "$out" ] && [ "$(cd "$base" && pwd -P)" = "$(cd "$out" && pwd -P)" ]; then
    echo "relocpack-ci: '$base' cannot be both RELOCPACK_BASE and RELOCPACK_OUT: copy it, or give another folder" >&2
    exit 2
fi
rm -rf "$out"
mkdir -p "$out"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
printf '%s\n' "${RELOCPACK_OPTIONS:-}" > "$scratch/options"
printf '## Models\n' > "$out/comment.md"
printf '%s\n' "${RELOCPACK_MODELS:-}" > "$scratch/models"

# What generate and verify are told about this pipeline.
annotations() { # NAME
    if [ "${GITHUB_ACTIONS:-}" = true ]; then
        echo --annotate=github
    elif [ "${GITLAB_CI:-}" = true ]; then
        echo "--annotate=gitlab=$out/$1.quality.json"
    else
        echo --no-color
    fi
}

figures() { # REPORT: the figures as rows of a table, from the table of `report`
    printf '\n| | bytes |\n|---|---:|\n'
    relocpack report "$1" --csv - | awk -F, '
        NR == 1 { for (i = NF - 4; i <= NF; i++) { sub("_bytes", "", $i); name[i] = $i } }
        NR == 2 { for (i = NF - 4; i <= NF; i++) print "| " name[i] " | " $i " |" }'
}

quoted() { # text for the comment, as it is, without annotations
    printf '\n'
    sed '/^::/d; s/^/    /'
}

set --
while IFS= read -r model; do
    [ -n "$model" ] || continue
    name=$(basename -- "$model")
    name=${name%.*}
    if [ -e "$out/$name.log" ] || [ -e "$out/$name" ] || [ -d "$out/$name.json" ]; then
        echo "relocpack-ci: two models are called '$name': the second one, '$model', is left out" >&2
        failed 2
        continue
    fi
    printf '\n### %s\n' "$name" >> "$out/comment.md"
    rc=0
    relocpack generate -q -i "$model" -o "$out/$name" --options-file "$scratch/options" --label ci \
        ${RELOCPACK_BUDGET:+--budget-file "$RELOCPACK_BUDGET"} --json "$out/$name.json" \
        --sarif "$out/$name.sarif" "$(annotations "$name")" 2> "$out/$name.log" < /dev/null || rc=$?
    cat "$out/$name.log" >&2
    [ "$rc" -eq 0 ] || { failed "$rc"; quoted < "$out/$name.log" >> "$out/comment.md"; }
    [ -f "$out/$name.json" ] || continue # an image that is over budget is there
    rc=0
    image=$(find "$out/$name" -name '*_rel.bin')
    set -f # words of options are no patterns
    relocpack verify --junit "$out/$name.xml" ${RELOCPACK_VERIFY:-} "$image" \
        > "$scratch/text" 2> "$scratch/verify" < /dev/null || rc=$?
    set +f
    cat "$scratch/verify" >&2
    grep -E 'bit-identical|of the code' "$scratch/text" | quoted >> "$out/comment.md"
    [ "$rc" -eq 0 ] || { failed "$rc"; quoted < "$scratch/verify" >> "$out/comment.md"; }
    cat "$scratch/verify" >> "$out/$name.log"
    if [ -n "$base" ] && [ -e "$base/$name.json" ]; then
        rc=0
        printf '\n' >> "$out/comment.md"
        relocpack diff "$base/$name.json" "$out/$name.json" --format markdown \
            ${RELOCPACK_LIMITS:+--fail-on "$RELOCPACK_LIMITS"} >> "$out/comment.md" 2> "$scratch/diff" < /dev/null || rc=$?
        cat "$scratch/diff" >&2
        [ "$rc" -eq 0 ] || { failed "$rc"; quoted < "$scratch/diff" >> "$out/comment.md"; }
        set -- "$@" "$base/$name.json"
    else
        figures "$out/$name.json" >> "$out/comment.md"
    fi
    set -- "$@" "$out/$name.json"
done < "$scratch/models"

if [ $# -ne 0 ]; then
    relocpack report "$@" --html "$out/index.html" || failed $?
elif [ "$status" -eq 0 ]; then
    echo "relocpack-ci: RELOCPACK_MODELS names no model" >&2
    status=2
fi
exit "$status"
