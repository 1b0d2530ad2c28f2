/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/npu (network, blobs, memory): any text gives a network with complete
 * rows whose memory lies inside its pools, or an error.
 */
#include "tests/fuzz/fuzz.h"

#include "toolchain/npu/memory.h"
#include "toolchain/npu/parse.h"
#include "toolchain/npu/blobs.h"

static void require_buffer(const struct rp_aton_buffer *buffer) {
    require(buffer->name != NULL && buffer->type != NULL && buffer->channels != NULL);
    require(buffer->start <= buffer->end && buffer->table < RP_ATON_TABLES);
    require(buffer->ndims == -1 || buffer->shape.items == NULL ||
            (uint64_t)buffer->ndims == buffer->shape.count);
}

static void require_network(const struct rp_aton *aton) {
    size_t rows = 0;
    require(aton->network != NULL && aton->network[0] != '\0' && aton->pools.count != 0);
    require(aton->pools.count <= RP_ATON_POOLS_MAX);
    for (size_t i = 0; i < aton->buffers.count; i++)
        require_buffer(&aton->buffers.items[i]);
    for (size_t i = 0; i < RP_ATON_TABLES; i++)
        rows += aton->rows[i];
    require(rows == aton->buffers.count);
    for (size_t i = 0; i < aton->epochs.count; i++)
        require(aton->epochs.items[i].kind != RP_ATON_EPOCH_BLOB ||
                aton->epochs.items[i].blob != NULL);
}

static void require_memory(const struct rp_aton_memory *memory) {
    uint64_t spans = 0;
    for (size_t i = 0; i < memory->used.count; i++) {
        const struct rp_aton_used *used = &memory->used.items[i];
        require(!used->pool->is_virtual && used->flags != 0 && used->size_bytes != 0);
        require(used->first >= used->pool->offset && used->first <= used->last);
        require(used->extent <= used->pool->size_bytes && used->span <= used->extent);
        require(used->params_extent <= used->extent && used->params_span <= used->span);
        require((used->params_span != 0) == used->has_params);
        require(i == 0 || memory->used.items[i - 1].pool->offset >= used->pool->offset);
        spans += used->span;
    }
    require(memory->acts_size + memory->params_size == spans);
}

static void require_blobs(struct rp_arena *arena, const struct rp_aton_text *text) {
    struct rp_error err = {0};
    struct rp_aton_blobs blobs;
    bool ok = rp_aton_parse_blobs(&blobs, arena, text, &err);
    require_error(ok, &err);
    for (size_t i = 0; ok && i < blobs.count; i++)
        require(blobs.items[i].symbol[0] == '_' && blobs.items[i].type != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_aton aton;
    struct rp_aton_memory memory;
    const struct rp_aton_text text = {"fuzz.c", (const char *)data, size};
    bool ok = rp_aton_parse(&aton, &arena, &text, &err);
    require_error(ok, &err);
    if (ok) {
        require_network(&aton);
        ok = rp_aton_memory(&memory, &arena, &aton, &err);
        require_error(ok, &err);
        if (ok)
            require_memory(&memory);
    }
    require_blobs(&arena, &text);
    rp_arena_release(&arena);
    return 0;
}
