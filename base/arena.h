/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One arena per command: everything a command allocates lives until the command ends, and is
 * released in one call. Running out of memory ends the program (a host tool has no better answer).
 */
#ifndef RP_BASE_ARENA_H
#define RP_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct rp_arena_block;

/* Prints an error and ends the program. */
_Noreturn void rp_out_of_memory(void);
/* size zeroed bytes outside any arena, for data with a shorter life; free() them. */
void *rp_heap(size_t size);

/* Zero-initialise; release with rp_arena_release. */
struct rp_arena {
    struct rp_arena_block *head;
};

/* count * size zeroed bytes, aligned for any type; the product is checked for overflow. */
void *rp_alloc(struct rp_arena *arena, size_t count, size_t size);
char *rp_strdup(struct rp_arena *arena, const char *text);
char *rp_strndup(struct rp_arena *arena, const char *text, size_t len);
char *rp_format(struct rp_arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *rp_vformat(struct rp_arena *arena, const char *fmt, va_list args)
    __attribute__((format(printf, 2, 0)));
void rp_arena_release(struct rp_arena *arena);

/*
 * Growable array in an arena: returns the (possibly moved) array with room for one more item.
 * count is the number of items in use; capacity is updated.
 */
void *rp_grow(struct rp_arena *arena, void *items, size_t count, size_t *capacity, size_t size);

/* Appends one item to {T *items; size_t count; size_t capacity;} and yields a pointer to it. */
#define RP_PUSH(arena, list)                                                                       \
    ((list)->items =                                                                               \
         rp_grow((arena), (list)->items, (list)->count, &(list)->capacity, sizeof *(list)->items), \
     &(list)->items[(list)->count++])

/* A list of texts. */
struct rp_strings {
    const char **items;
    size_t count;
    size_t capacity;
};

void rp_strings_push(struct rp_arena *arena, struct rp_strings *list, const char *text);
void rp_strings_append(struct rp_arena *arena, struct rp_strings *to,
                       const struct rp_strings *from);

/* Appends "-Ia" and "-Ib" for the prefix "-I" and the list {"a", "b"}. */
void rp_strings_append_each(struct rp_arena *arena, struct rp_strings *to, const char *prefix,
                            const struct rp_strings *from);

/* Is the text in the list? */
bool rp_strings_have(const struct rp_strings *list, const char *text);
/* For long lists: sorts and drops duplicates; then, is the text in the sorted list? */
void rp_strings_sort(struct rp_strings *list);
bool rp_strings_have_sorted(const struct rp_strings *list, const char *text);

/* Several at once: RP_PUSH_WORDS(arena, &list, "a", "b") */
void rp_strings_push_all(struct rp_arena *arena, struct rp_strings *list, const char *const *words,
                         size_t count);
#define RP_PUSH_WORDS(arena, list, ...)                                                            \
    rp_strings_push_all((arena), (list), (const char *const[]){__VA_ARGS__},                       \
                        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

#endif
