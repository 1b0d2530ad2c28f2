/* SPDX-License-Identifier: Apache-2.0 */
/* A file as a C array: see c_array.h. */
#include "elfpack/image/c_array.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void put_lines(FILE *file, const uint8_t *bytes, size_t len) {
    static const char digits[] = "0123456789abcdef";
    char line[16 * 5 + 1];
    for (size_t i = 0; i < len; i += 16) {
        size_t count = len - i < 16 ? len - i : 16;
        for (size_t k = 0; k < count; k++) {
            char *at = line + 5 * k;
            memcpy(at, "0x", 2);
            at[2] = digits[bytes[i + k] >> 4];
            at[3] = digits[bytes[i + k] & 15];
            at[4] = ',';
        }
        line[5 * count] = '\n';
        fwrite(line, 1, 5 * count + 1, file);
    }
}

static bool put_source(FILE *in, FILE *out, const struct rp_c_array *array) {
    static uint8_t piece[64 * 1024];
    fprintf(out, RP_MADE_BY ": see %s. */\n#include \"%s\"\n\n", array->header, array->header);
    fprintf(out, "static const uint8_t bytes[%s] __attribute__((aligned(%s))) = {\n", array->size,
            array->alignment);
    for (size_t got = fread(piece, 1, sizeof piece, in); got != 0;
         got = fread(piece, 1, sizeof piece, in))
        put_lines(out, piece, got);
    fprintf(out, "};\n\n%s {\n    return %sbytes;\n}\n", array->getter,
            array->as_number ? "(uintptr_t)" : "");
    return ferror(in) == 0;
}

bool rp_c_array_write(const struct rp_c_array *array, struct rp_error *err) {
    FILE *in = fopen(array->path, "rbe");
    if (in == NULL)
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", array->path, strerror(errno));
    FILE *out = fopen(array->c_path, "wbe");
    bool ok = out != NULL && put_source(in, out, array);
    int why = errno;
    fclose(in);
    bool bad_write = out != NULL && ferror(out) != 0;
    if (out != NULL && (fclose(out) != 0 || bad_write)) {
        ok = false;
        why = errno;
    }
    return ok || rp_fail_errno(err, why, "cannot write", array->c_path);
}
