/* SPDX-License-Identifier: Apache-2.0 */
/* JSON by means of cJSON: see json.h. struct rp_json is a cJSON. */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json_text.h"

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

/* ---- duplicate members of an object ---- */

struct member {
    size_t object; /* a number that identifies the object */
    const char *name;
    size_t index; /* among all members, in the order of the text */
};

struct members {
    struct member *items;
    size_t count;
    size_t capacity;
};

/* Appends the members of a value and of all values in it, in the order of the text. */
static void gather(const cJSON *value, struct rp_arena *arena, struct members *list) {
    const size_t object = list->count;
    for (const cJSON *child = value->child; child != NULL; child = child->next) {
        const struct member member = {object, child->string, list->count};
        if (cJSON_IsObject(value))
            *RP_PUSH(arena, list) = member;
        gather(child, arena, list);
    }
}

static int by_name(const void *one, const void *other) {
    const struct member *a = one, *b = other;
    int names = a->object == b->object ? strcmp(a->name, b->name) : 0;
    size_t x = a->object != b->object ? a->object : a->index;
    size_t y = a->object != b->object ? b->object : b->index;
    return names != 0 ? names : (x > y) - (x < y);
}

/*
 * Refuses duplicate members: readers of JSON differ in which of two counts, and a loop over members
 * sees both. Sorting keeps this fast for large documents.
 */
static bool names_differ(const struct rp_json_text *text, const cJSON *value,
                         struct rp_arena *arena, struct rp_error *err) {
    struct members list = {0};
    const struct member *first = NULL, *second = NULL;
    gather(value, arena, &list);
    if (list.count != text->names.count) /* cJSON and json_text.c read the text differently */
        return rp_json_text_fails(text, 0, "", err);
    if (list.count != 0)
        qsort(list.items, list.count, sizeof *list.items, by_name);
    for (size_t i = 1; i < list.count; i++) {
        const struct member *last = &list.items[i - 1], *next = &list.items[i];
        if (next->object == last->object && strcmp(next->name, last->name) == 0 &&
            (second == NULL || next->index < second->index)) {
            first = last;
            second = next;
        }
    }
    if (second == NULL)
        return true;
    unsigned line = rp_json_line(text, text->names.items[second->index]);
    rp_fail(err, RP_E_MANIFEST, "%s:%u: member '%s' occurs twice, first in line %u", text->name,
            line, second->name, rp_json_line(text, text->names.items[first->index]));
    return rp_fail_in(err, text->name, line);
}

/* cJSON accepts more than JSON, so the words are checked before, and duplicate names after it. */
struct rp_json *rp_json_parse(const char *text, size_t len, const char *name,
                              struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_json_text words = {.text = text, .len = len, .name = name};
    const char *end = text;
    cJSON *value = NULL;
    if (rp_json_text_check(&words, &arena, err)) {
        value = cJSON_ParseWithLengthOpts(text, len + 1, &end, 1);
        if (value == NULL)
            rp_json_text_fails(&words, end != NULL ? (size_t)(end - text) : 0, "", err);
    }
    if (value != NULL && !names_differ(&words, value, &arena, err)) {
        cJSON_Delete(value);
        value = NULL;
    }
    rp_arena_release(&arena);
    return (struct rp_json *)(void *)value;
}

struct rp_json *rp_json_read(struct rp_arena *arena, const char *path, size_t limit,
                             struct rp_error *err) {
    struct rp_bytes text;
    return rp_file_read(arena, path, limit, &text, err)
               ? rp_json_parse((const char *)text.data, text.size, path, err)
               : NULL;
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

const char *rp_json_text(const struct rp_json *object, const char *key, const char *otherwise) {
    const char *text = rp_json_string(rp_json_member(object, key));
    return text != NULL ? text : otherwise;
}

double rp_json_number(const struct rp_json *value) {
    return peek(value)->valuedouble;
}

bool rp_json_integer(const struct rp_json *value, int64_t min, int64_t max, int64_t *out) {
    if (value == NULL || !cJSON_IsNumber(peek(value)))
        return false;
    double number = peek(value)->valuedouble;
    /* limits are compared as integers, because as doubles they would be rounded */
    if (!(fabs(number) <= (double)RP_JSON_EXACT) || number != floor(number) ||
        (int64_t)number < min || (int64_t)number > max)
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

/* JSON is UTF-8, but file names are bytes: a byte that is not UTF-8 becomes U+FFFD. */
static cJSON *new_string(const char *text) {
    char *clean = rp_heap(3 * strlen(text) + 1), *to = clean;
    while (*text != '\0') {
        size_t length = rp_utf8_length((const unsigned char *)text);
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
