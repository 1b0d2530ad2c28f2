/* SPDX-License-Identifier: Apache-2.0 */
/*
 * malloc, calloc, realloc, aligned_alloc and free for a model that calls them, in memory of its
 * own: each instance of the image has its heap. Variables: RP_HEAP_BYTES, bytes of the heap, a
 * multiple of 8.
 *
 * Blocks follow one another, each after its header of 8 bytes. malloc takes the first free block
 * that is large enough and joins free neighbours on its way. When the heap is exhausted, or a
 * header was overwritten, it returns NULL. `verify` reads the peak.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define USED                                                                                       \
    UINT32_C(0x50414548) /* "HEAP": what a header of a used block has, so that a wrong free does   \
                            nothing */
enum { HEADER = 8 };

struct block {
    uint32_t bytes; /* with this header; a multiple of 8; 0: the heap is untouched */
    uint32_t used;
};
static uint32_t
    heap[RP_HEAP_BYTES / 4 + 1]; /* and room to align it: RAM may lie at a multiple of 4 */
uint32_t relocpack_heap_peak;    /* bytes up to the end of the highest block that was ever used */

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
__attribute__((weak)) void *aligned_alloc(size_t align, size_t size);
void free(void *block);
/* What newlib's own functions call, such as strdup; its state is not needed. */
void *_malloc_r(void *state, size_t size);
void *_calloc_r(void *state, size_t count, size_t size);
void *_realloc_r(void *state, void *old, size_t size);
void _free_r(void *state, void *block);

static uintptr_t start(void) {
    return ((uintptr_t)heap + HEADER - 1) / HEADER * HEADER;
}

static struct block *block_at(uint32_t offset) {
    return (struct block *)(start() + offset);
}

static int is_block(uint32_t offset) {
    uint32_t bytes = block_at(offset)->bytes;
    return bytes >= HEADER && bytes <= RP_HEAP_BYTES - offset && bytes % HEADER == 0;
}

static void cut(struct block *block, uint32_t offset, uint32_t bytes) {
    if (block->bytes - bytes >= 2 * HEADER) {
        *block_at(offset + bytes) = (struct block){block->bytes - bytes, 0};
        block->bytes = bytes;
    }
}

void *malloc(size_t size) {
    if (size > RP_HEAP_BYTES - HEADER)
        return NULL;
    uint32_t bytes = ((uint32_t)size + HEADER - 1) / HEADER * HEADER + HEADER;
    if (block_at(0)->bytes == 0)
        block_at(0)->bytes = RP_HEAP_BYTES;
    for (uint32_t offset = 0; offset < RP_HEAP_BYTES; offset += block_at(offset)->bytes) {
        struct block *block = block_at(offset);
        if (!is_block(offset))
            return NULL;
        while (block->used != USED && block->bytes < RP_HEAP_BYTES - offset) {
            uint32_t next = offset + block->bytes;
            if (!is_block(next))
                return NULL;
            if (block_at(next)->used == USED)
                break;
            block->bytes += block_at(next)->bytes;
        }
        if (block->used == USED || block->bytes < bytes)
            continue;
        cut(block, offset, bytes);
        block->used = USED;
        if (offset + block->bytes > relocpack_heap_peak)
            relocpack_heap_peak = offset + block->bytes;
        return block + 1;
    }
    return NULL;
}

/* The offset of a used block; RP_HEAP_BYTES: it is none. */
static uint32_t offset_of(const void *data) {
    uint32_t offset = (uint32_t)((uintptr_t)data - start()) - HEADER;
    if (offset >= RP_HEAP_BYTES || offset % HEADER != 0 || block_at(offset)->used != USED ||
        !is_block(offset))
        return RP_HEAP_BYTES;
    return offset;
}

void free(void *data) {
    uint32_t offset = offset_of(data);
    if (offset < RP_HEAP_BYTES)
        block_at(offset)->used = 0;
}

void *calloc(size_t count, size_t size) {
    if (size != 0 && count > RP_HEAP_BYTES / size)
        return NULL;
    void *data = malloc(count * size);
    return data != NULL ? memset(data, 0, count * size) : NULL;
}

void *realloc(void *old, size_t size) {
    uint32_t offset = offset_of(old);
    if (old != NULL && offset == RP_HEAP_BYTES)
        return NULL;
    size_t room = old != NULL ? block_at(offset)->bytes - HEADER : 0;
    if (size == 0) {
        free(old);
        return NULL;
    }
    if (old != NULL && size <= room)
        return old;
    void *data = malloc(size);
    if (data == NULL)
        return NULL;
    memcpy(data, old != NULL ? old : data, room < size ? room : size);
    free(old);
    return data;
}

/* All blocks are aligned to 8 bytes; larger alignments are refused. */
void *aligned_alloc(size_t align, size_t size) {
    return align <= HEADER && align != 0 ? malloc(size) : NULL;
}

void *_malloc_r(void *state, size_t size) {
    (void)state;
    return malloc(size);
}

void *_calloc_r(void *state, size_t count, size_t size) {
    (void)state;
    return calloc(count, size);
}

void *_realloc_r(void *state, void *old, size_t size) {
    (void)state;
    return realloc(old, size);
}

void _free_r(void *state, void *block) {
    (void)state;
    free(block);
}
