/* SPDX-License-Identifier: Apache-2.0 */
/* JSON through cJSON: see json.h. struct rp_json is cJSON under another name. */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static cJSON *raw(struct rp_json *value) {
    return (cJSON *)(void *)value;
}

static const cJSON *peek(const struct rp_json *value) {
    return (const cJSON *)(const void *)value;
}

static struct rp_json *wrap(cJSON *value) {
    if (value == NULL)
        rp_out_of_memory();
    return (struct rp_json *)(void *)value;
}

/* An escaped zero byte, at which the text that contains it would seem to end; or NULL. */
static const char *find_nul(const char *text) {
    for (; (text = strchr(text, '\\')) != NULL; text += text[1] != '\0' ? 2 : 1)
        if (strncmp(text, "\\u0000", 6) == 0)
            return text;
    return NULL;
}

struct rp_json *rp_json_parse(const char *text, size_t len, const char *name,
                              struct rp_error *err) {
    const char *end = NULL;
    cJSON *value = cJSON_ParseWithLengthOpts(text, len + 1, &end, 1);
    bool valid = value != NULL && strlen(text) == len;
    const char *nul = valid ? find_nul(text) : NULL;
    if (valid && nul == NULL)
        return wrap(value);
    cJSON_Delete(value);
    end = nul != NULL ? nul : end;
    size_t at = end != NULL && end >= text ? (size_t)(end - text) : 0;
    unsigned line = 1;
    for (size_t i = 0; i < at && i < len; i++)
        line += text[i] == '\n';
    rp_fail(err, RP_E_MANIFEST, "%s:%u: not valid JSON%s", name, line,
            nul != NULL ? ": no text here can have a \\u0000" : "");
    rp_fail_in(err, name, line);
    return NULL;
}

enum rp_json_type rp_json_type_of(const struct rp_json *value) {
    const cJSON *v = peek(value);
    if (cJSON_IsBool(v))
        return RP_JSON_BOOL;
    if (cJSON_IsNumber(v))
        return RP_JSON_NUMBER;
    if (cJSON_IsString(v))
        return RP_JSON_STRING;
    if (cJSON_IsArray(v))
        return RP_JSON_ARRAY;
    return cJSON_IsObject(v) ? RP_JSON_OBJECT : RP_JSON_NULL;
}

const struct rp_json *rp_json_member(const struct rp_json *object, const char *key) {
    return (const struct rp_json *)(const void *)cJSON_GetObjectItemCaseSensitive(peek(object),
                                                                                  key);
}

const struct rp_json *rp_json_first(const struct rp_json *value) {
    return value != NULL ? (const struct rp_json *)(const void *)peek(value)->child : NULL;
}

const struct rp_json *rp_json_next(const struct rp_json *value) {
    return (const struct rp_json *)(const void *)peek(value)->next;
}

const char *rp_json_key(const struct rp_json *value) {
    return peek(value)->string;
}

size_t rp_json_count(const struct rp_json *value) {
    return value != NULL ? (size_t)cJSON_GetArraySize(peek(value)) : 0;
}

const char *rp_json_string(const struct rp_json *value) {
    return value != NULL && cJSON_IsString(peek(value)) ? peek(value)->valuestring : NULL;
}

bool rp_json_truth(const struct rp_json *value) {
    return cJSON_IsTrue(peek(value));
}

double rp_json_number(const struct rp_json *value) {
    return peek(value)->valuedouble;
}

bool rp_json_integer(const struct rp_json *value, int64_t min, int64_t max, int64_t *out) {
    if (value == NULL || !cJSON_IsNumber(peek(value)))
        return false;
    double number = peek(value)->valuedouble;
    /* 2^63 itself is what (double)INT64_MAX rounds to, and does not fit */
    bool fits = number >= -9223372036854775808.0 && number < 9223372036854775808.0;
    if (!fits || !(number >= (double)min && number <= (double)max) || number != floor(number))
        return false;
    *out = (int64_t)number;
    return true;
}

struct rp_json *rp_json_object(void) {
    return wrap(cJSON_CreateObject());
}

struct rp_json *rp_json_array(void) {
    return wrap(cJSON_CreateArray());
}

void rp_json_put(struct rp_json *object, const char *key, struct rp_json *value) {
    cJSON_AddItemToObject(raw(object), key, raw(value));
}

/* Bytes of the UTF-8 sequence at text (RFC 3629), or 0. */
static size_t utf8_length(const unsigned char *text) {
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char low, high;   /* of the second */
        size_t length;
    } forms[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        size_t length = forms[i].length;
        if (length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < length; k++)
            if ((text[k] & 0xC0u) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

/* JSON is UTF-8 but file names are bytes: a byte that is not UTF-8 becomes U+FFFD. */
static cJSON *new_string(const char *text) {
    char *clean = rp_heap(3 * strlen(text) + 1), *to = clean;
    while (*text != '\0') {
        size_t length = utf8_length((const unsigned char *)text);
        to = length != 0 ? mempcpy(to, text, length) : stpcpy(to, "\xEF\xBF\xBD");
        text += length != 0 ? length : 1;
    }
    cJSON *value = cJSON_CreateString(clean);
    free(clean);
    return value;
}

void rp_json_put_string(struct rp_json *object, const char *key, const char *text) {
    rp_json_put(object, key, wrap(new_string(text)));
}

void rp_json_put_int(struct rp_json *object, const char *key, int64_t number) {
    rp_json_put(object, key, wrap(cJSON_CreateNumber((double)number)));
}

void rp_json_put_double(struct rp_json *object, const char *key, double number) {
    rp_json_put(object, key, wrap(cJSON_CreateNumber(number)));
}

void rp_json_put_word(struct rp_json *object, const char *key, uint32_t word) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", word);
    rp_json_put_string(object, key, text);
}

void rp_json_put_bool(struct rp_json *object, const char *key, bool flag) {
    rp_json_put(object, key, wrap(cJSON_CreateBool(flag)));
}

struct rp_json *rp_json_put_fields(struct rp_json *object, const struct rp_json_field *fields,
                                   size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct rp_json_field *field = &fields[i];
        switch (field->kind) {
        case RP_JSON_KIND_TEXT:
            if (field->text != NULL)
                rp_json_put_string(object, field->key, field->text);
            break;
        case RP_JSON_KIND_NUMBER:
            rp_json_put_int(object, field->key, field->number);
            break;
        case RP_JSON_KIND_FLAG:
            rp_json_put_bool(object, field->key, field->number != 0);
            break;
        case RP_JSON_KIND_WORD:
            rp_json_put_word(object, field->key, (uint32_t)field->number);
            break;
        }
    }
    return object;
}

void rp_json_push(struct rp_json *array, struct rp_json *value) {
    cJSON_AddItemToArray(raw(array), raw(value));
}

void rp_json_push_string(struct rp_json *array, const char *text) {
    rp_json_push(array, wrap(new_string(text)));
}

void rp_json_push_int(struct rp_json *array, int64_t number) {
    rp_json_push(array, wrap(cJSON_CreateNumber((double)number)));
}

struct rp_json *rp_json_new_object(struct rp_json *parent, const char *key) {
    struct rp_json *child = rp_json_object();
    rp_json_put(parent, key, child);
    return child;
}

struct rp_json *rp_json_new_array(struct rp_json *parent, const char *key) {
    struct rp_json *child = rp_json_array();
    rp_json_put(parent, key, child);
    return child;
}

static char *end_line(char *text) {
    size_t len = text != NULL ? strlen(text) : 0;
    char *line = text != NULL ? realloc(text, len + 2) : NULL;
    if (line == NULL)
        rp_out_of_memory();
    else
        memcpy(line + len, "\n", 2);
    return line;
}

char *rp_json_print(const struct rp_json *value) {
    return end_line(cJSON_Print(peek(value)));
}

char *rp_json_print_line(const struct rp_json *value) {
    return end_line(cJSON_PrintUnformatted(peek(value)));
}

void rp_json_free(struct rp_json *value) {
    cJSON_Delete(raw(value));
}
