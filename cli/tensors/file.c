/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor data from files: see file.h. Source of the .npy layout: NumPy's NEP 1. */
#include "cli/tensors/file.h"

#include <string.h>

#include "base/path.h"

enum { DATA_MAX = 1 << 30, NPY_HEAD = 10 };

static bool npy_fail(const char *path, const char *why, struct rp_error *err) {
    return rp_fail(err, RP_E_INPUT, "'%s': %s", path, why);
}

/* The text behind a key in the header's Python dictionary. */
static const char *npy_value(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (at == NULL)
        return NULL;
    at += strlen(key);
    return at + strspn(at, "': ");
}

static bool npy_dtype(const char *path, const char *header, const struct rp_tensor *tensor,
                      struct rp_error *err) {
    static const struct {
        const char *descr;
        const char *name;
    } types[] = {{"<f4", "float32"}, {"|i1", "int8"},    {"|u1", "uint8"},  {"<i2", "int16"},
                 {"<u2", "uint16"},  {"<i4", "int32"},   {"<u4", "uint32"}, {"<i8", "int64"},
                 {"<u8", "uint64"},  {"<f8", "float64"}, {"|b1", "bool"}};
    const char *descr = npy_value(header, "'descr'");
    const char *order = npy_value(header, "'fortran_order'");
    if (descr == NULL || order == NULL)
        return npy_fail(path, "the .npy header lacks descr or fortran_order", err);
    if (strncmp(order, "False", 5) != 0)
        return npy_fail(path, "Fortran order is not supported: save numpy.ascontiguousarray(x)",
                        err);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strncmp(descr, types[i].descr, 3) == 0)
            return tensor == NULL || strcmp(types[i].name, tensor->dtype->name) == 0 ||
                   rp_fail(err, RP_E_INPUT, "'%s' has dtype %s, tensor '%s' has %s", path,
                           types[i].name, tensor->name, tensor->dtype->name);
    return npy_fail(path, "its dtype is not supported", err);
}

static bool npy_strip(struct rp_arena *arena, const char *path, const struct rp_tensor *tensor,
                      struct rp_bytes *bytes, struct rp_error *err) {
    if (bytes->size < NPY_HEAD + 2 || memcmp(bytes->data, "\x93NUMPY", 6) != 0)
        return npy_fail(path, "it is no .npy file", err);
    bool wide = bytes->data[6] > 1;
    size_t start = wide ? 12 : 10;
    size_t len = (size_t)bytes->data[8] | (size_t)bytes->data[9] << 8;
    if (wide)
        len |= (size_t)bytes->data[10] << 16 | (size_t)bytes->data[11] << 24;
    if (len > bytes->size - start)
        return npy_fail(path, "the .npy header is cut off", err);
    const char *header = rp_strndup(arena, (const char *)bytes->data + start, len);
    if (!npy_dtype(path, header, tensor, err))
        return false;
    bytes->data += start + len;
    bytes->size -= start + len;
    return true;
}

bool rp_tensor_read(struct rp_arena *arena, const char *path, const struct rp_tensor *tensor,
                    struct rp_bytes *out, struct rp_error *err) {
    if (!rp_file_read(arena, path, DATA_MAX, out, err))
        return false;
    if (rp_has_suffix(path, ".npy") && !npy_strip(arena, path, tensor, out, err))
        return false;
    if (out->size == 0)
        return npy_fail(path, "it holds no data", err);
    if (tensor != NULL && out->size % rp_tensor_bytes(tensor) != 0)
        return rp_fail(err, RP_E_INPUT, "'%s' has %zu bytes of data, tensor '%s' has %llu", path,
                       out->size, tensor->name, (unsigned long long)rp_tensor_bytes(tensor));
    return true;
}
