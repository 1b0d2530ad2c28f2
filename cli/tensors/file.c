/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in files: see file.h. */
#include "cli/tensors/file.h"

#include <math.h>

#include "base/path.h"
#include "cli/tensors/csv.h"
#include "cli/tensors/npy.h"
#include "cli/tensors/onnx_pb.h"
#include "cli/tensors/value.h"

enum { DATA_MAX = 1 << 30, TEXT_MAX = 1 << 28 };

static bool is_text(const char *path) {
    return rp_has_suffix(path, ".csv") || rp_has_suffix(path, ".txt");
}

static bool is_raw(const char *path) {
    return !is_text(path) && !rp_has_suffix(path, ".npy") && !rp_has_suffix(path, ".pb");
}

static bool read_bytes(struct rp_arena *arena, const char *path, struct rp_bytes *out,
                       struct rp_error *err) {
    return rp_file_read(arena, path, is_text(path) ? TEXT_MAX : DATA_MAX, out, err);
}

/* The suffix of the path says what the bytes are. */
static bool parse_numbers(struct rp_arena *arena, const char *path, const struct rp_bytes *bytes,
                          struct rp_numbers *out, struct rp_error *err) {
    bool ok;
    if (is_text(path))
        ok = rp_csv_parse(arena, path, bytes, out, err);
    else if (rp_has_suffix(path, ".npy"))
        ok = rp_npy_parse(arena, path, bytes, out, err);
    else if (rp_has_suffix(path, ".pb"))
        ok = rp_onnx_pb_parse(arena, path, bytes, out, err);
    else {
        const struct rp_dtype *raw = out->dtype;
        uint64_t count = bytes->size / raw->size_bytes;
        *out = (struct rp_numbers){
            .dtype = raw, .data = bytes->data, .count = count, .shape = {count}, .rank = 1};
        ok =
            bytes->size % raw->size_bytes == 0 ||
            rp_fail(err, RP_E_INPUT, "'%s' has %zu bytes, which is not a whole number of %s values",
                    path, bytes->size, raw->name);
    }
    return ok && (out->count != 0 || rp_fail(err, RP_E_INPUT, "'%s': it holds no data", path));
}

bool rp_numbers_read(struct rp_arena *arena, const char *path, struct rp_numbers *out,
                     struct rp_error *err) {
    struct rp_bytes bytes;
    return read_bytes(arena, path, &bytes, err) && parse_numbers(arena, path, &bytes, out, err);
}

/* ---- shape ---- */

static unsigned without_ones(uint64_t *out, const struct rp_numbers *numbers) {
    unsigned rank = 0;
    for (unsigned i = 0; i < numbers->rank; i++)
        if (numbers->shape[i] != 1)
            out[rank++] = numbers->shape[i];
    return rank;
}

/*
 * An array is several samples of the tensor's dimensions, or of all its elements in a row. So an
 * array with the channels last is not taken for a tensor that has them first.
 */
static bool has_shape(const struct rp_numbers *numbers, const struct rp_tensor *tensor,
                      uint64_t elements) {
    uint64_t given[RP_NUMBERS_RANK_MAX];
    unsigned rank = without_ones(given, numbers), left = rank;
    if (rank <= 1 || given[rank - 1] == elements)
        return true;
    for (unsigned i = tensor->rank; i-- > 0;)
        if (tensor->shape[i] != 1 && (left == 0 || given[--left] != tensor->shape[i]))
            return false;
    return true;
}

static const char *shape_text(struct rp_arena *arena, const struct rp_numbers *numbers) {
    struct rp_buf text = {.arena = arena};
    for (unsigned i = 0; i < numbers->rank; i++)
        rp_buf_printf(&text, "%s%llu", i == 0 ? "" : "x", (unsigned long long)numbers->shape[i]);
    return rp_buf_text(&text);
}

static bool check_shape(struct rp_arena *arena, const char *path, const struct rp_numbers *numbers,
                        const struct rp_tensor *tensor, struct rp_error *err) {
    uint64_t elements = rp_tensor_elements(tensor);
    const unsigned long long sample_bytes = elements * numbers->dtype->size_bytes;
    struct rp_numbers own = {.rank = tensor->rank};
    if (numbers->is_text && numbers->shape[1] != elements)
        return rp_fail(err, RP_E_INPUT, "'%s' has %llu numbers a line, tensor '%s' has %llu", path,
                       (unsigned long long)numbers->shape[1], tensor->name,
                       (unsigned long long)elements);
    if (elements == 0 || numbers->count % elements != 0)
        return rp_fail(err, RP_E_INPUT, "'%s' has %zu bytes of data, tensor '%s' has %llu", path,
                       (size_t)numbers->count * numbers->dtype->size_bytes, tensor->name,
                       sample_bytes);
    if (numbers->is_text || has_shape(numbers, tensor, elements))
        return true;
    for (unsigned i = 0; i < tensor->rank; i++)
        own.shape[i] = tensor->shape[i];
    rp_fail(err, RP_E_INPUT, "'%s' has shape %s, tensor '%s' has %s", path,
            shape_text(arena, numbers), tensor->name, shape_text(arena, &own));
    return rp_hint(err, "is one channels first and the other one channels last? x.reshape(len(x), "
                        "-1) saves the elements in the order that they have");
}

/* ---- type ---- */

static bool fail_type(const char *path, const struct rp_numbers *numbers,
                      const struct rp_tensor *tensor, struct rp_error *err) {
    rp_fail(err, RP_E_INPUT, "'%s' has %s%s, tensor '%s' has %s", path,
            numbers->is_text ? "real numbers" : "dtype ",
            numbers->is_text ? "" : numbers->dtype->name, tensor->name, tensor->dtype->name);
    return numbers->dtype->is_float && !tensor->dtype->is_float
               ? rp_hint(err, "real numbers are quantised when the tensor's scale and zero point "
                              "are known")
               : false;
}

/* Stores each number as the tensor has it. */
static bool convert(struct rp_arena *arena, const struct rp_numbers *numbers,
                    struct rp_samples *out, struct rp_error *err) {
    const struct rp_dtype *from = numbers->dtype, *to = out->tensor->dtype;
    bool quantises = from->is_float && !to->is_float;
    if (quantises ? !out->tensor->quantised : !numbers->is_converted)
        return fail_type(out->path, numbers, out->tensor, err);
    uint8_t *data = rp_alloc(arena, numbers->count + 1, to->size_bytes);
    double *real = quantises ? rp_alloc(arena, numbers->count, sizeof *real) : NULL;
    for (uint64_t i = 0; i < numbers->count; i++) {
        const uint8_t *at = numbers->data + i * from->size_bytes;
        uint8_t *place = data + i * to->size_bytes;
        double value = rp_value_get(from, at);
        if (real != NULL)
            real[i] = value;
        if (quantises        ? !rp_value_quantise(out->tensor, value, place)
            : from->is_float ? !rp_value_put(to, value, place)
                             : !rp_value_put_integer(to, rp_value_integer(from, at), place))
            return rp_fail(err, RP_E_INPUT, "'%s': number %llu, %g, is none that %s can hold",
                           out->path, (unsigned long long)i + 1, value, to->name);
    }
    out->bytes = (struct rp_bytes){data, numbers->count * to->size_bytes};
    out->real = real;
    return true;
}

bool rp_tensor_parse(struct rp_arena *arena, const struct rp_bytes *bytes, struct rp_samples *out,
                     struct rp_error *err) {
    const struct rp_tensor *tensor = out->tensor;
    struct rp_numbers numbers = {.dtype = out->raw != NULL ? out->raw
                                          : tensor != NULL ? tensor->dtype
                                                           : rp_dtype_find("uint8")};
    if (tensor == NULL && is_text(out->path))
        return rp_fail(err, RP_E_INPUT,
                       "'%s': only the runtime knows the type of this tensor: give raw bytes or "
                       "an .npy",
                       out->path);
    if (!parse_numbers(arena, out->path, bytes, &numbers, err) ||
        (tensor != NULL && !check_shape(arena, out->path, &numbers, tensor, err)))
        return false;
    numbers.is_converted = numbers.is_text || (out->raw != NULL && is_raw(out->path));
    out->bytes = (struct rp_bytes){numbers.data, numbers.count * numbers.dtype->size_bytes};
    out->count = 1;
    if (tensor == NULL)
        return true;
    uint64_t count = numbers.count / rp_tensor_elements(tensor);
    out->count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return numbers.dtype == tensor->dtype || convert(arena, &numbers, out, err);
}

bool rp_tensor_read(struct rp_arena *arena, const char *path, const struct rp_tensor *tensor,
                    struct rp_samples *out, struct rp_error *err) {
    struct rp_bytes bytes;
    *out = (struct rp_samples){.tensor = tensor, .path = path};
    return read_bytes(arena, path, &bytes, err) && rp_tensor_parse(arena, &bytes, out, err);
}

/* ---- what the user gives as an input ---- */

/*
 * Bytes, or 16-bit words, that are read as floats have any exponent, mostly a very small one. Of
 * real inputs, hardly one is so far from 1.
 */
static bool is_hardly_float(const struct rp_samples *samples) {
    const struct rp_dtype *dtype = samples->tensor->dtype;
    uint64_t far = 0, all = 0;
    for (size_t at = 0; at < samples->bytes.size; at += dtype->size_bytes) {
        const double value = fabs(rp_value_get(dtype, samples->bytes.data + at));
        all += value != 0;
        far += value != 0 && !(value > 0x1p-64 && value < 0x1p64); /* also a NaN */
    }
    return far > 1 + all / 8;
}

bool rp_input_read(struct rp_arena *arena, struct rp_samples *out, struct rp_error *err) {
    struct rp_bytes bytes;
    const struct rp_tensor *tensor = out->tensor;
    const bool asks = tensor != NULL && out->raw == NULL && is_raw(out->path);
    if (!read_bytes(arena, out->path, &bytes, err))
        return false;
    if (!rp_tensor_parse(arena, &bytes, out, err))
        return asks && tensor->dtype->size_bytes != 1 &&
               bytes.size % (rp_tensor_elements(tensor) + !rp_tensor_elements(tensor)) == 0 &&
               rp_hint(err,
                       "raw bytes are read as %s; --input-type TYPE says what they are "
                       "(uint8, int8, float32, ...)",
                       tensor->dtype->name);
    if (!asks || !tensor->dtype->is_float || !is_hardly_float(out))
        return true;
    rp_fail(err, RP_E_INPUT,
            "'%s' has %zu bytes, %u sample%s of %llu %s, but these are hardly numbers of that type",
            out->path, bytes.size, out->count, out->count == 1 ? "" : "s",
            (unsigned long long)rp_tensor_elements(tensor), tensor->dtype->name);
    return rp_hint(err,
                   "--input-type uint8 reads each byte as a number (or int8, int16, ...), "
                   "--input-type %s reads them as they are",
                   tensor->dtype->name);
}

const struct rp_dtype *rp_input_type(const char *name, const struct rp_strings *files,
                                     struct rp_error *err) {
    const struct rp_dtype *type = name != NULL ? rp_dtype_find(name) : NULL;
    bool any = false;
    for (size_t i = 0; i < files->count; i++)
        any = any || is_raw(files->items[i]);
    if (name != NULL && type == NULL)
        rp_fail(err, RP_E_USAGE,
                "unknown --input-type \'%s\'; there are: bool, int8 to int64, uint8 to uint64, "
                "float32, float64",
                name);
    else if (name != NULL && !any)
        rp_fail(err, RP_E_USAGE, "--input-type goes with --input FILE of raw bytes: %s",
                files->count == 0 ? "there is no --input"
                                  : ".npy, .csv and .pb say themselves what they hold");
    else
        return type;
    return NULL;
}

void rp_samples_note(struct rp_arena *arena, const struct rp_samples *samples,
                     struct rp_diagnostics *notes) {
    const struct rp_tensor *tensor = samples->tensor;
    const char *path = samples->path;
    if (tensor == NULL || samples->count == 1 || !is_raw(path))
        return;
    rp_diagnose(arena, notes, "RP1078",
                rp_format(arena, "'%s' is read as raw bytes: %u samples of %llu %s", path,
                          samples->count, (unsigned long long)rp_tensor_elements(tensor),
                          samples->raw != NULL ? samples->raw->name : tensor->dtype->name));
}

bool rp_tensor_format(struct rp_buf *out, const char *path, const struct rp_samples *samples,
                      struct rp_error *err) {
    bool npy = rp_has_suffix(path, ".npy");
    if (rp_has_suffix(path, ".pb"))
        return rp_fail(err, RP_E_USAGE,
                       "'%s': tensors of ONNX are read, but not written: save an .npy", path);
    if ((npy || is_text(path)) && samples->tensor == NULL)
        return rp_fail(err, RP_E_USAGE,
                       "'%s': only the runtime knows the type of this tensor: save raw bytes, for "
                       "example as .bin",
                       path);
    if (is_text(path))
        for (uint32_t i = 0; i < samples->count; i++)
            rp_csv_line(out, samples->tensor,
                        samples->bytes.data + i * rp_tensor_bytes(samples->tensor));
    else {
        if (npy)
            rp_npy_header(out, samples->tensor, samples->count);
        rp_buf_append(out, samples->bytes.data, samples->bytes.size);
    }
    return true;
}
