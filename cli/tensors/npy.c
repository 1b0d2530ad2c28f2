/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's .npy files: see npy.h. */
#include "cli/tensors/npy.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

/* The header's fixed part: magic, two bytes of version, length in two bytes, or four from 2 on. */
enum { MAGIC_BYTES = 6, VERSION = 6, LENGTH = 8, START_1 = 10, START_2 = 12, ALIGN = 64 };
#define MAGIC  "\x93NUMPY"
#define BLANKS " \t\r\n"

/* What stands behind the byte order in a descr. */
static const struct {
    const char *kind;
    const char *name;
} kinds[] = {{"f4", "float32"}, {"f8", "float64"}, {"i1", "int8"},  {"u1", "uint8"},
             {"i2", "int16"},   {"u2", "uint16"},  {"i4", "int32"}, {"u4", "uint32"},
             {"i8", "int64"},   {"u8", "uint64"},  {"b1", "bool"}};

static bool fail(const char *path, const char *why, struct rp_error *err) {
    return rp_fail(err, RP_E_INPUT, "'%s': %s", path, why);
}

enum key { DESCR, ORDER, SHAPE, KEYS };

/* Where the values of the header's Python dictionary begin. It has these keys, each once, as with
 * NumPy. */
static bool find_values(const char *at, const char *values[KEYS]) {
    static const char *const keys[KEYS] = {"'descr'", "'fortran_order'", "'shape'"};
    at += strspn(at, BLANKS);
    if (*at++ != '{')
        return false;
    for (at += strspn(at, BLANKS); *at != '}'; at += strspn(at, BLANKS)) {
        int key = 0;
        while (key < KEYS && !rp_has_prefix(at, keys[key]))
            key++;
        if (key == KEYS || values[key] != NULL)
            return false;
        at += strlen(keys[key]);
        at += strspn(at, BLANKS);
        if (*at++ != ':')
            return false;
        values[key] = at += strspn(at, BLANKS);
        at += strcspn(at, key == SHAPE ? ")" : ",}");
        at += key == SHAPE && *at == ')';
        at += strspn(at, BLANKS);
        if (*at == ',')
            at++;
        else if (*at != '}')
            return false;
    }
    return at[1 + strspn(at + 1, BLANKS)] == '\0' && values[DESCR] != NULL &&
           values[ORDER] != NULL && values[SHAPE] != NULL;
}

static const struct rp_dtype *dtype_of(const char *descr) {
    if (strlen(descr) < 5 || descr[0] != '\'' || descr[4] != '\'')
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(descr + 2, kinds[i].kind, 2) == 0 && (descr[1] == '<' || descr[3] == '1'))
            return rp_dtype_find(kinds[i].name);
    return NULL;
}

static bool read_shape(const char *at, struct rp_numbers *out) {
    out->count = 1;
    if (*at++ != '(')
        return false;
    for (at += strspn(at, BLANKS); *at != ')'; at += strspn(at, BLANKS)) {
        char *end;
        if (!isdigit((unsigned char)*at) || out->rank == RP_NUMBERS_RANK_MAX)
            return false;
        uint64_t size = strtoull(at, &end, 10);
        if (size != 0 && out->count > UINT64_MAX / size)
            return false;
        out->shape[out->rank++] = size;
        out->count *= size;
        at = end + strspn(end, BLANKS);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return false;
    }
    return true;
}

static bool read_header(const char *path, const char *header, struct rp_numbers *out,
                        struct rp_error *err) {
    const char *values[KEYS] = {NULL};
    bool known = find_values(header, values);
    const char *descr = values[DESCR], *order = values[ORDER];
    out->dtype = descr != NULL ? dtype_of(descr) : NULL;
    if (descr != NULL && out->dtype == NULL)
        return rp_fail(err, RP_E_INPUT,
                       "'%s': dtype %.*s is not supported, only float32, float64, bool and "
                       "integers, little-endian",
                       path, (int)strcspn(descr, ","), descr);
    if (!known || out->dtype == NULL) {
        (void)fail(path, "the .npy header is not {'descr': , 'fortran_order': , 'shape': }", err);
        return false;
    }
    if (strcspn(order, BLANKS ",}") != 5 || strncmp(order, "False", 5) != 0)
        return fail(path, "Fortran order is not supported: save numpy.ascontiguousarray(x)", err);
    return read_shape(values[SHAPE], out) || fail(path, "the .npy header has no usable shape", err);
}

bool rp_npy_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *bytes,
                  struct rp_numbers *out, struct rp_error *err) {
    const uint8_t *data = bytes->data;
    *out = (struct rp_numbers){0};
    if (bytes->size < START_2 || memcmp(data, MAGIC, MAGIC_BYTES) != 0)
        return fail(path, "it is no .npy file", err);
    if (data[VERSION] == 0 || data[VERSION] > 3)
        return fail(path, "its .npy version is not 1 to 3", err);
    size_t start = data[VERSION] == 1 ? START_1 : START_2;
    size_t len =
        data[VERSION] == 1 ? rp_get_le32(data + LENGTH) & 0xFFFFu : rp_get_le32(data + LENGTH);
    if (len > bytes->size - start)
        return fail(path, "the .npy header is cut off", err);
    if (!read_header(path, rp_strndup(arena, (const char *)data + start, len), out, err))
        return false;
    size_t left = bytes->size - start - len;
    out->data = data + start + len;
    if (left % out->dtype->size_bytes == 0 && left / out->dtype->size_bytes == out->count)
        return true;
    return rp_fail(err, RP_E_INPUT,
                   "'%s': its shape has %llu elements of %u bytes, %zu bytes follow", path,
                   (unsigned long long)out->count, out->dtype->size_bytes, left);
}

void rp_npy_header(struct rp_buf *out, const struct rp_tensor *tensor, uint64_t count) {
    struct rp_buf text = {.arena = out->arena};
    const char *kind = "";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, tensor->dtype->name) == 0)
            kind = kinds[i].kind;
    rp_buf_printf(&text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (%llu,",
                  tensor->dtype->size_bytes == 1 ? '|' : '<', kind, (unsigned long long)count);
    for (unsigned i = 0; i < tensor->rank; i++)
        rp_buf_printf(&text, " %u,", tensor->shape[i]);
    rp_buf_puts(&text, "), }");
    while ((START_1 + text.len + 1) % ALIGN != 0)
        rp_buf_puts(&text, " ");
    rp_buf_puts(&text, "\n");
    const uint8_t fixed[] = {1, 0, (uint8_t)text.len, (uint8_t)(text.len >> 8)};
    rp_buf_append(out, MAGIC, MAGIC_BYTES);
    rp_buf_append(out, fixed, sizeof fixed);
    rp_buf_append(out, text.data, text.len);
}
