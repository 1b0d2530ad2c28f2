/* SPDX-License-Identifier: Apache-2.0 */
/* Values of macros in a header: see define.h. */
#include "toolchain/cread/define.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *rp_find_define(const char *text, const char *name) {
    size_t len = strlen(name);
    if (len == 0) /* is found everywhere */
        return NULL;
    for (const char *at = strstr(text, name); at != NULL; at = strstr(at + len, name)) {
        const char *before = at;
        while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - text >= 7 && strncmp(before - 7, "#define", 7) == 0 &&
            !isalnum((unsigned char)at[len]) && at[len] != '_')
            return at + len + strspn(at + len, " \t(");
    }
    return NULL;
}

int64_t rp_find_number(const char *text, const char *name) {
    const char *value = rp_find_define(text, name);
    if (value == NULL)
        return -1;
    char *end;
    long long number = strtoll(value, &end, 0);
    return end != value && strchr(" )\r\nuUlL", *end) != NULL ? number : -1;
}
