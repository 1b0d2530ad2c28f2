/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes JSON; json.c is the only user of cJSON. Values belong to their document, which
 * is freed by rp_json_free. Building functions take ownership of what is added.
 */
#ifndef RP_BASE_JSON_H
#define RP_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_json; /* a cJSON node */

enum rp_json_type {
    RP_JSON_NULL,
    RP_JSON_BOOL,
    RP_JSON_NUMBER,
    RP_JSON_STRING,
    RP_JSON_ARRAY,
    RP_JSON_OBJECT
};

/* ---- reading ---- */
/*
 * Parses len bytes that are followed by a 0. name: of the file, for the message. NULL and
 * RP_E_MANIFEST with the line: it is not JSON (RFC 8259), an object has a duplicate member, a
 * number does not fit a double, or a text contains a zero byte. Time and memory grow as n log n.
 */
struct rp_json *rp_json_parse(const char *text, size_t len, const char *name, struct rp_error *err);
/* Reads a file of at most limit bytes. NULL: an error of rp_json_parse or rp_file_read. */
struct rp_json *rp_json_read(struct rp_arena *arena, const char *path, size_t limit,
                             struct rp_error *err);
enum rp_json_type rp_json_type_of(const struct rp_json *value);
const struct rp_json *rp_json_member(const struct rp_json *object, const char *key);
/* Iteration over an array or object: first child, next sibling; key of an object's child. */
const struct rp_json *rp_json_first(const struct rp_json *value);
const struct rp_json *rp_json_next(const struct rp_json *value);
const char *rp_json_key(const struct rp_json *value);
size_t rp_json_count(const struct rp_json *value);
const char *rp_json_string(const struct rp_json *value); /* NULL if it is not a string */
/* The text of a member, or `otherwise`. */
const char *rp_json_text(const struct rp_json *object, const char *key, const char *otherwise);
double rp_json_number(const struct rp_json *value);
bool rp_json_truth(const struct rp_json *value); /* false if it is not true */
/* Readers keep numbers as doubles; beyond this one, two integers may be the same double. */
#define RP_JSON_EXACT INT64_C(9007199254740991) /* 2^53 - 1 */
/* Gets an integer in [min, max], not beyond RP_JSON_EXACT; false: value is not one. */
bool rp_json_integer(const struct rp_json *value, int64_t min, int64_t max, int64_t *out);

/* ---- building ---- */
struct rp_json *rp_json_object(void);
struct rp_json *rp_json_array(void);
void rp_json_put(struct rp_json *object, const char *key, struct rp_json *value);
void rp_json_put_string(struct rp_json *object, const char *key, const char *text);
void rp_json_put_int(struct rp_json *object, const char *key, int64_t number);
void rp_json_put_double(struct rp_json *object, const char *key, double number);
/* As "0x0000abcd". */
void rp_json_put_word(struct rp_json *object, const char *key, uint32_t word);
void rp_json_put_bool(struct rp_json *object, const char *key, bool flag);
void rp_json_push(struct rp_json *array, struct rp_json *value);
void rp_json_push_string(struct rp_json *array, const char *text);
void rp_json_push_int(struct rp_json *array, int64_t number);

/* A member and its value, for tables of members. A NULL text is omitted. */
struct rp_json_field {
    const char *key;
    enum { RP_JSON_KIND_TEXT, RP_JSON_KIND_NUMBER, RP_JSON_KIND_FLAG, RP_JSON_KIND_WORD } kind;
    const char *text;
    int64_t number;
};
#define RP_JSON_S(key, value)                                                                      \
    { (key), RP_JSON_KIND_TEXT, (value), 0 }
#define RP_JSON_N(key, value)                                                                      \
    { (key), RP_JSON_KIND_NUMBER, NULL, (int64_t)(value) }
#define RP_JSON_B(key, value)                                                                      \
    { (key), RP_JSON_KIND_FLAG, NULL, (value) }
#define RP_JSON_W(key, value)                                                                      \
    { (key), RP_JSON_KIND_WORD, NULL, (value) } /* "0x0000abcd" */
/* Adds the fields; returns the object. */
struct rp_json *rp_json_put_fields(struct rp_json *object, const struct rp_json_field *fields,
                                   size_t count);
#define RP_JSON_PUT(object, ...)                                                                   \
    rp_json_put_fields((object), (const struct rp_json_field[]){__VA_ARGS__},                      \
                       sizeof((const struct rp_json_field[]){__VA_ARGS__}) /                       \
                           sizeof(struct rp_json_field))
/* A new object of these fields. */
#define RP_JSON_NEW(...) RP_JSON_PUT(rp_json_object(), __VA_ARGS__)

/* Adds a new empty object or array and returns it. */
struct rp_json *rp_json_new_object(struct rp_json *parent, const char *key);
struct rp_json *rp_json_new_array(struct rp_json *parent, const char *key);
/* Pretty text with a final newline; free() it. */
char *rp_json_print(const struct rp_json *value);
/* The same on one line. */
char *rp_json_print_line(const struct rp_json *value);
void rp_json_free(struct rp_json *value);

#endif
