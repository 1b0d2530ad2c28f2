/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text: see csv.h. */
#include "cli/tensors/csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/tensors/value.h"

enum { WORD_MAX = 64 };

/* The text is gone through twice: once to count the numbers, once to store them. */
struct reader {
    const char *path;
    const char *at, *end;
    size_t line; /* from 1 */
    uint64_t lines, columns, count;
    bool has_reals;
    uint8_t *data; /* NULL: only counting */
};

static bool is_special(const char *word) {
    word += *word == '+' || *word == '-';
    return strcasecmp(word, "nan") == 0 || strcasecmp(word, "inf") == 0;
}

/* strtod would also take hexadecimal numbers and other words. */
static bool put_number(struct reader *reader, const char *word) {
    bool special = is_special(word);
    char *end;
    if (!special && word[strspn(word, "+-.0123456789eE")] != '\0')
        return false;
    double value = strtod(word, &end);
    bool ok = end != word && *end == '\0' && (special || isfinite(value));
    if (reader->data == NULL)
        reader->has_reals = reader->has_reals || special || strpbrk(word, ".eE") != NULL;
    else if (reader->has_reals)
        rp_value_put(rp_dtype_find("float64"), value, reader->data + 8 * reader->count);
    else {
        errno = 0;
        int64_t whole = strtoll(word, NULL, 10);
        ok = ok && errno == 0;
        rp_value_put_integer(rp_dtype_find("int64"), whole, reader->data + 8 * reader->count);
    }
    reader->count++;
    return ok;
}

static bool read_word(struct reader *reader, const char *end, struct rp_error *err) {
    char word[WORD_MAX] = "";
    const char *at = reader->at;
    while (at < end && *at != ',' && *at != ' ' && *at != '\t')
        at++;
    size_t len = (size_t)(at - reader->at);
    memcpy(word, reader->at, len < WORD_MAX ? len : WORD_MAX - 1);
    reader->at = at;
    return (len < WORD_MAX && strlen(word) == len && put_number(reader, word)) ||
           rp_fail(err, RP_E_INPUT, "'%s', line %zu: '%s' is not a number%s", reader->path,
                   reader->line, word,
                   len == 0                                        ? ": one is missing"
                   : word[strspn(word, "+-.0123456789eE")] == '\0' ? " that 64 bits can hold"
                                                                   : "");
}

static void skip_blanks(struct reader *reader, const char *end) {
    while (reader->at < end && (*reader->at == ' ' || *reader->at == '\t'))
        reader->at++;
}

/* Numbers up to the end of the line, with a comma or blanks between them. */
static bool read_line(struct reader *reader, const char *end, struct rp_error *err) {
    uint64_t before = reader->count;
    bool more = true;
    while (more) {
        if (!read_word(reader, end, err))
            return false;
        skip_blanks(reader, end);
        more = reader->at < end;
        if (more && *reader->at == ',') {
            reader->at++;
            skip_blanks(reader, end);
        }
    }
    uint64_t columns = reader->count - before;
    if (reader->lines++ == 0)
        reader->columns = columns;
    return columns == reader->columns ||
           rp_fail(err, RP_E_INPUT, "'%s', line %zu has %llu numbers, the first one has %llu",
                   reader->path, reader->line, (unsigned long long)columns,
                   (unsigned long long)reader->columns);
}

static bool read_text(struct reader *reader, const struct rp_bytes *text, struct rp_error *err) {
    reader->at = (const char *)text->data;
    reader->end = reader->at + text->size;
    reader->line = reader->lines = reader->count = 0;
    if (text->size >= 3 && memcmp(reader->at, "\xEF\xBB\xBF", 3) == 0)
        reader->at += 3; /* the byte order mark of UTF-8, which spreadsheets write */
    while (reader->at < reader->end) {
        const char *line_end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
        const char *next = line_end != NULL ? line_end + 1 : reader->end;
        const char *end = line_end != NULL ? line_end : reader->end;
        while (end > reader->at && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
            end--;
        reader->line++;
        skip_blanks(reader, end);
        if (reader->at != end && *reader->at != '#' && !read_line(reader, end, err))
            return false;
        reader->at = next;
    }
    return true;
}

bool rp_csv_parse(struct rp_arena *arena, const char *path, const struct rp_bytes *text,
                  struct rp_numbers *out, struct rp_error *err) {
    struct reader reader = {.path = path};
    if (!read_text(&reader, text, err))
        return false;
    reader.data = rp_alloc(arena, reader.count + 1, 8);
    if (!read_text(&reader, text, err))
        return false;
    *out = (struct rp_numbers){.dtype = rp_dtype_find(reader.has_reals ? "float64" : "int64"),
                               .data = reader.data,
                               .count = reader.count,
                               .shape = {reader.lines, reader.columns},
                               .rank = 2,
                               .is_text = true};
    return true;
}

void rp_csv_line(struct rp_buf *out, const struct rp_tensor *tensor, const uint8_t *data) {
    const struct rp_dtype *dtype = tensor->dtype;
    uint64_t count = rp_tensor_elements(tensor);
    for (uint64_t i = 0; i < count; i++, data += dtype->size_bytes) {
        double value = rp_value_get(dtype, data);
        const char *between = i + 1 == count ? "\n" : ",";
        if (!dtype->is_float && dtype->is_signed)
            rp_buf_printf(out, "%lld%s", (long long)rp_value_integer(dtype, data), between);
        else if (!dtype->is_float)
            rp_buf_printf(out, "%llu%s", (unsigned long long)rp_value_integer(dtype, data),
                          between);
        else if (isnan(value)) /* printf gives NaNs a sign */
            rp_buf_printf(out, "nan%s", between);
        else if (value == 0 && signbit(value)) /* -0 would be read as a whole number */
            rp_buf_printf(out, "-0.0%s", between);
        else
            rp_buf_printf(out, "%.*g%s", dtype->size_bytes == 4 ? 9 : 17, value, between);
    }
}
