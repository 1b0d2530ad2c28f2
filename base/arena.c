/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates from an arena: see arena.h. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024, ALIGN_BYTES = 16 };

struct rp_arena_block {
    struct rp_arena_block *next;
    size_t used;
    size_t size;
    _Alignas(16) unsigned char bytes[];
};

void rp_out_of_memory(void) {
    fputs("relocpack: out of memory\n", stderr);
    exit(1);
}

void *rp_heap(size_t size) {
    void *memory = calloc(1, size);
    if (memory == NULL)
        rp_out_of_memory();
    return memory;
}

void *rp_alloc(struct rp_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2) / size)
        rp_out_of_memory();
    size_t want = (count * size + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    struct rp_arena_block *block = arena->head;
    if (block == NULL || want > block->size - block->used) {
        size_t room = want > BLOCK_BYTES ? want : BLOCK_BYTES;
        struct rp_arena_block *fresh = rp_heap(sizeof *fresh + room);
        fresh->size = room;
        if (block != NULL && want > BLOCK_BYTES) { /* a large item keeps the current block in use */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->head = fresh;
        }
        block = fresh;
    }
    void *result = block->bytes + block->used;
    block->used += want;
    return result;
}

char *rp_strndup(struct rp_arena *arena, const char *text, size_t len) {
    char *copy = rp_alloc(arena, len + 1, 1);
    memcpy(copy, text, len);
    return copy;
}

char *rp_strdup(struct rp_arena *arena, const char *text) {
    return rp_strndup(arena, text, strlen(text));
}

char *rp_vformat(struct rp_arena *arena, const char *fmt, va_list args) {
    va_list copy;
    va_copy(copy, args);
    int len = vsnprintf(NULL, 0, fmt, copy);
    va_end(copy);
    if (len < 0)
        rp_out_of_memory();
    char *text = rp_alloc(arena, (size_t)len + 1, 1);
    vsnprintf(text, (size_t)len + 1, fmt, args);
    return text;
}

char *rp_format(struct rp_arena *arena, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = rp_vformat(arena, fmt, args);
    va_end(args);
    return text;
}

void *rp_grow(struct rp_arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return items;
    size_t wanted = *capacity != 0 ? *capacity * 2 : 8;
    void *moved = rp_alloc(arena, wanted, size);
    if (count != 0)
        memcpy(moved, items, count * size);
    *capacity = wanted;
    return moved;
}

void rp_strings_push(struct rp_arena *arena, struct rp_strings *list, const char *text) {
    *RP_PUSH(arena, list) = text;
}

void rp_strings_append(struct rp_arena *arena, struct rp_strings *to,
                       const struct rp_strings *from) {
    for (size_t i = 0; i < from->count; i++)
        rp_strings_push(arena, to, from->items[i]);
}

void rp_strings_append_each(struct rp_arena *arena, struct rp_strings *to, const char *prefix,
                            const struct rp_strings *from) {
    for (size_t i = 0; i < from->count; i++)
        rp_strings_push(arena, to, rp_format(arena, "%s%s", prefix, from->items[i]));
}

void rp_arena_release(struct rp_arena *arena) {
    struct rp_arena_block *block = arena->head;
    while (block != NULL) {
        struct rp_arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->head = NULL;
}

void rp_strings_push_all(struct rp_arena *arena, struct rp_strings *list, const char *const *words,
                         size_t count) {
    for (size_t i = 0; i < count; i++)
        rp_strings_push(arena, list, words[i]);
}

bool rp_strings_have(const struct rp_strings *list, const char *text) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return true;
    return false;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void rp_strings_sort(struct rp_strings *list) {
    size_t kept = 0;
    if (list->count == 0)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_texts);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || strcmp(list->items[kept - 1], list->items[i]) != 0)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

bool rp_strings_have_sorted(const struct rp_strings *list, const char *text) {
    return list->count != 0 &&
           bsearch(&text, list->items, list->count, sizeof *list->items, compare_texts) != NULL;
}
