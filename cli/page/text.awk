# SPDX-License-Identifier: Apache-2.0
# Writes text files as a C source, of what cli/page/text.h declares:
#   awk -f cli/page/text.awk FILE... > page_text.c
# NAME.TYPE becomes rp_text_NAME_TYPE. The first comment, the licence, stays.

BEGIN {
    print "#include \"cli/page/text.h\"\n\n#include <stddef.h>\n"
}

FNR == 1 {
    if (NR != 1)
        print "    NULL};"
    name = FILENAME
    sub(/^.*\//, "", name)
    sub(/\./, "_", name)
    print "const char *const rp_text_" name "[] = {"
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\\&")
    print "    \"" $0 "\\n\","
}

END {
    print "    NULL};"
}
