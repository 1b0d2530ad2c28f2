# SPDX-License-Identifier: Apache-2.0
# Writes the finished files of the loaders as a C source, of what cli/generate/loader.h declares:
#   awk -f cli/generate/loader_text.awk NAME.parts FILE... [NAME.parts FILE...] > loader_text.c
# NAME.parts holds the names of the parts of the loader NAME, a line each; the files behind it are the loader. No part:
# it is made of files in templates/harness.

function end_of_list() {
    if (in_list)
        print "    NULL};"
    in_list = 0
}

function end_of_loader(    i) {
    end_of_list()
    if (loader == "")
        return
    printf "static const struct rp_loader_file files_%s[] = {", loader
    for (i = first; i < count; i++)
        printf "{\"%s\", text_%d}, ", names[i], i
    print "{NULL, NULL}};"
    printf "const struct rp_loader rp_loader_%s = {files_%s, parts_%s, \"%s\"};\n", loader, loader, loader,
        has_parts ? "runtime" : "templates/harness"
}

BEGIN {
    count = 0
    print "#include \"cli/generate/loader.h\"\n\n#include <stddef.h>\n"
}

FNR == 1 {
    name = FILENAME
    sub(/^.*\//, "", name)
    is_parts = name ~ /\.parts$/
    if (is_parts) {
        end_of_loader()
        loader = substr(name, 1, length(name) - 6)
        has_parts = 0
        first = count
        printf "static const char *const parts_%s[] = {\n", loader
    } else {
        end_of_list()
        names[count] = name
        printf "static const char *const text_%d[] = {\n", count++
    }
    in_list = 1
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\\&")
    has_parts = has_parts || is_parts && $0 != ""
    if ($0 != "" || !is_parts)
        print "    \"" $0 (is_parts ? "" : "\\n") "\","
}

END {
    end_of_loader()
}
