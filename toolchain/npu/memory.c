/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a Neural-ART network: see memory.h. */
#include "toolchain/npu/memory.h"

#include <inttypes.h>
#include <string.h>

#include "runtime/format/reloc_format.h"

struct state {
    struct rp_aton_memory *out;
    struct rp_arena *arena;
    const struct rp_aton *aton;
    struct rp_error *err;
    struct rp_aton_used *pools; /* all but virtual ones, in the order of their descriptors */
    size_t count;
};

/* "pool 8 (xSPI2, octoFlash)" */
static const char *named(const struct state *state, const struct rp_aton_pool *pool) {
    return rp_format(state->arena, "pool %u (%s, %s)", pool->id, pool->postfix, pool->name);
}

static bool fail_at(const struct state *state, unsigned line, const char *text) {
    return rp_fail(state->err, RP_E_ATON_POOLS, "%s:%u: %s", state->aton->path, line, text);
}

static void collect_pools(struct state *state) {
    const struct rp_aton *aton = state->aton;
    state->pools = rp_alloc(state->arena, aton->pools.count, sizeof *state->pools);
    for (size_t i = 0; i < aton->pools.count; i++) {
        const struct rp_aton_pool *pool = &aton->pools.items[i];
        if (pool->is_virtual)
            continue;
        size_t at = state->count++;
        for (; at != 0 && state->pools[at - 1].pool->offset < pool->offset; at--)
            state->pools[at] = state->pools[at - 1];
        state->pools[at] = (struct rp_aton_used){.pool = pool};
    }
}

/* ---- ranges ---- */

static bool is_used(const struct rp_aton_used *pool) {
    return pool->has_params || pool->has_acts;
}

static void widen(uint64_t *first, uint64_t *last, uint64_t from, uint64_t to, bool is_first) {
    *first = is_first || from < *first ? from : *first;
    *last = is_first || to > *last ? to : *last;
}

/* Marks a pool's bytes as part of a buffer: from the byte at from to the one at to. */
static void touch(struct rp_aton_used *pool, uint64_t from, uint64_t to, bool is_param) {
    widen(&pool->first, &pool->last, from, to, !is_used(pool));
    if (is_param)
        widen(&pool->params_first, &pool->params_last, from, to, !pool->has_params);
    pool->has_params = pool->has_params || is_param;
    pool->has_acts = pool->has_acts || !is_param;
}

static bool fail_buffer(const struct state *state, const struct rp_aton_buffer *buffer,
                        const char *why) {
    const char *base = buffer->label != NULL ? buffer->label : "";
    const char *plus = buffer->label != NULL ? " + " : "";
    return fail_at(state, buffer->line,
                   rp_format(state->arena,
                             "the %s buffer '%s' (%s%s0x%" PRIx64 ", %" PRIu64 " bytes) %s",
                             rp_aton_table_name(buffer->table), buffer->name, base, plus,
                             buffer->start, buffer->end - buffer->start, why));
}

static bool place_relative(const struct state *state, const struct rp_aton_buffer *buffer) {
    for (size_t i = 0; i < state->count; i++) {
        struct rp_aton_used *pool = &state->pools[i];
        if (pool->pool->label == NULL || strcmp(pool->pool->label, buffer->label) != 0)
            continue;
        if (buffer->end > pool->pool->size_bytes)
            return fail_buffer(state, buffer,
                               rp_format(state->arena, "ends behind %s, which has %u bytes",
                                         named(state, pool->pool), pool->pool->size_bytes));
        uint64_t offset = pool->pool->offset;
        touch(pool, offset + buffer->start, offset + buffer->end - 1, buffer->is_param);
        return true;
    }
    return fail_buffer(state, buffer, "lies in no pool: its label is that of none");
}

/* The bytes that an absolute pool and a buffer share; to is one past the last. */
static bool meets(const struct rp_aton_pool *pool, const struct rp_aton_buffer *buffer,
                  uint64_t *from, uint64_t *to) {
    uint64_t first = pool->offset, end = first + pool->size_bytes;
    *from = first > buffer->start ? first : buffer->start;
    *to = end < buffer->end ? end : buffer->end;
    return pool->is_absolute && *from < *to;
}

/* The pool before index i that shares some of the same bytes of the buffer, or NULL. */
static const struct rp_aton_pool *twin_of(const struct state *state, size_t i,
                                          const struct rp_aton_buffer *buffer) {
    uint64_t from, to, other_from, other_to;
    if (!meets(state->pools[i].pool, buffer, &from, &to))
        return NULL;
    for (size_t k = 0; k < i; k++)
        if (meets(state->pools[k].pool, buffer, &other_from, &other_to) && other_from < to &&
            from < other_to)
            return state->pools[k].pool;
    return NULL;
}

/*
 * Every byte has to be in exactly one absolute pool. Pools come with falling offsets, so the bytes
 * that are not placed yet are always before those that are.
 */
static bool place_absolute(const struct state *state, const struct rp_aton_buffer *buffer) {
    uint64_t rest = buffer->end, from, to;
    for (size_t i = 0; i < state->count; i++) {
        struct rp_aton_used *pool = &state->pools[i];
        const struct rp_aton_pool *twin = twin_of(state, i, buffer);
        if (twin != NULL)
            return fail_buffer(state, buffer,
                               rp_format(state->arena, "lies in two pools at once: %s and %s",
                                         named(state, twin), named(state, pool->pool)));
        if (!meets(pool->pool, buffer, &from, &to))
            continue;
        touch(pool, from, to - 1, buffer->is_param);
        rest = to == rest ? from : rest;
    }
    if (rest == buffer->start)
        return true;
    return fail_buffer(
        state, buffer,
        rest == buffer->end
            ? "lies in no pool"
            : rp_format(state->arena, "lies in no pool in front of 0x%" PRIx64, rest));
}

static bool place_buffers(const struct state *state) {
    for (size_t i = 0; i < state->aton->buffers.count; i++) {
        const struct rp_aton_buffer *buffer = &state->aton->buffers.items[i];
        if (buffer->is_user_allocated || buffer->start == buffer->end)
            continue;
        if (!(buffer->label != NULL ? place_relative : place_absolute)(state, buffer))
            return false;
    }
    return true;
}

/* ---- without the table of internal buffers ---- */

/* Bytes that rounding to the last digit of "1.23 MB" may hide; plain bytes and labels are exact. */
static uint64_t rounding(const struct rp_aton_pool *pool) {
    const uint64_t kb = 1024, mb = 1024 * kb;
    if (pool->label_bytes != 0 || pool->declared_bytes < kb)
        return 0;
    return (pool->declared_bytes < mb ? kb : mb) / 200 + 1;
}

static bool fail_stripped(const struct state *state, const struct rp_aton_used *pool,
                          uint64_t declared) {
    uint64_t shown = pool->has_params ? pool->params_last - pool->params_first + 1 : 0;
    rp_fail(state->err, RP_E_ATON_BUFFERS,
            "%s:%u: %s uses %" PRIu64 " bytes, but the buffer tables show %" PRIu64
            " bytes of parameters in it: they were stripped",
            state->aton->path, pool->pool->line, named(state, pool->pool), declared, shown);
    return rp_hint(state->err, "generate it again with the compiler's option --all-buffers-info");
}

/*
 * A read-only pool holds parameters only, all of which have to be in the tables of inputs and
 * outputs. A writable one uses its declared size, rounded up, for the activations that no table
 * shows. Only a relative one has to know the exact size, because the application allocates it.
 */
static bool take_declared(const struct state *state, struct rp_aton_used *pool) {
    const struct rp_aton_pool *from = pool->pool;
    uint64_t declared = from->label_bytes != 0 ? from->label_bytes : from->declared_bytes;
    uint64_t shown = pool->has_params ? pool->params_last - pool->params_first + 1 : 0;
    uint64_t slack = rounding(from), most = declared + slack;
    bool complete = declared <= shown + slack && shown <= most;
    if (declared == 0 || complete)
        return true;
    if (!from->is_writable || (!from->is_absolute && from->label_bytes == 0))
        return fail_stripped(state, pool, declared);
    most = most < from->size_bytes ? most : from->size_bytes;
    pool->doubt = 2 * slack;
    touch(pool, from->offset, from->offset + most - 1, false);
    return true;
}

static bool is_touched_within(const struct state *state, const struct rp_aton_pool *area) {
    for (size_t i = 0; i < state->count; i++) {
        const struct rp_aton_pool *pool = state->pools[i].pool;
        if (is_used(&state->pools[i]) && pool->is_absolute && pool->offset >= area->offset &&
            pool->offset - area->offset < area->size_bytes)
            return true;
    }
    return false;
}

/*
 * The comments of real pools count what is in virtual ones, so a virtual pool with bytes needs a
 * used real one within it.
 */
static bool check_virtual(const struct state *state) {
    for (size_t i = 0; i < state->aton->pools.count; i++) {
        const struct rp_aton_pool *pool = &state->aton->pools.items[i];
        const struct rp_aton_used shown = {.pool = pool};
        if (pool->is_virtual && pool->declared_bytes != 0 && !is_touched_within(state, pool))
            return fail_stripped(state, &shown, pool->declared_bytes);
    }
    return true;
}

/*
 * Without the option --all-buffers-info, the compiler leaves activations out of the tables. What
 * the banner says of the option does not count, because rows may have been lost since.
 */
static bool complete_pools(const struct state *state) {
    const struct rp_aton *aton = state->aton;
    bool hidden = false;
    if (aton->rows[RP_ATON_INTERNAL] != 0)
        return true;
    for (size_t i = 0; i < state->count; i++) {
        struct rp_aton_used before = state->pools[i];
        if (!take_declared(state, &state->pools[i]))
            return false;
        hidden = hidden || before.last != state->pools[i].last ||
                 before.has_acts != state->pools[i].has_acts;
    }
    if (hidden)
        rp_strings_push(state->arena, &state->out->warnings,
                        rp_format(state->arena,
                                  "%s: generated without --all-buffers-info: sizes of activations "
                                  "are those of the comments, rounded up",
                                  aton->path));
    return check_virtual(state);
}

/* ---- descriptors ---- */

struct kind {
    bool is_absolute, is_writable, has_params, has_acts;
    uint32_t type, data, id;
};

/* All kinds that images have: specification of the image format, 3.3. */
static const struct kind kinds[] = {
    {false, false, true, false, RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_PARAM,
     RELOC_NPU_POOL_ID_PARAM},
    {false, true, false, true, RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_ACTIV,
     RELOC_NPU_POOL_ID_EXT_RAM},
    {false, true, true, false, RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_MIXED,
     RELOC_NPU_POOL_ID_EXT_RAM},
    {false, true, true, true, RELOC_NPU_POOL_RELOC, RELOC_NPU_POOL_MIXED,
     RELOC_NPU_POOL_ID_EXT_RAM},
    {true, true, true, false, RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_MIXED, 0},
    {true, true, true, true, RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_MIXED, 0},
    {true, false, true, false, RELOC_NPU_POOL_COPY, RELOC_NPU_POOL_PARAM, 0},
    {true, true, false, true, RELOC_NPU_POOL_RESET, RELOC_NPU_POOL_ACTIV, 0},
};

static const struct kind *kind_of(const struct rp_aton_used *pool) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].is_absolute == pool->pool->is_absolute &&
            kinds[i].is_writable == pool->pool->is_writable &&
            kinds[i].has_params == pool->has_params && kinds[i].has_acts == pool->has_acts)
            return &kinds[i];
    return NULL;
}

static bool describe(const struct state *state, struct rp_aton_used *pool) {
    const struct rp_aton_pool *from = pool->pool;
    const struct kind *kind = kind_of(pool);
    if (kind == NULL)
        return fail_at(state, from->line,
                       rp_format(state->arena,
                                 "%s is %s and %s, and has %s: images cannot have such a pool",
                                 named(state, from), from->is_absolute ? "absolute" : "relative",
                                 from->is_writable ? "read/write" : "read-only",
                                 pool->has_params ? "params and activations" : "activations"));
    uint32_t attr = (from->is_writable ? RELOC_NPU_POOL_WRITE : RELOC_NPU_POOL_READ) |
                    (from->is_cacheable ? (uint32_t)RELOC_NPU_POOL_CACHEABLE : 0);
    bool reset = kind->type == RELOC_NPU_POOL_RESET;
    pool->flags = RELOC_NPU_POOL_MAKE(kind->type, kind->data, attr, kind->id);
    pool->size_bytes = (uint32_t)(reset ? pool->span : pool->extent);
    pool->dst = reset ? (uint32_t)pool->first : from->is_absolute ? from->offset : 0;
    return true;
}

/*
 * There is at most one relative pool of each access, because the loader has one base address for
 * each.
 */
static bool take_relative(const struct state *state, const struct rp_aton_used *pool) {
    const struct rp_aton_used **slot =
        pool->pool->is_writable ? &state->out->relative_rw : &state->out->relative_ro;
    if (*slot != NULL)
        return fail_at(state, pool->pool->line,
                       rp_format(state->arena,
                                 "%s and %s are both relative and %s: an image has one at most",
                                 named(state, (*slot)->pool), named(state, pool->pool),
                                 pool->pool->is_writable ? "read/write" : "read-only"));
    *slot = pool;
    if (pool->pool->offset >= RELOC_NPU_EXTERNAL_ADDR)
        return true;
    if (pool->pool->is_cacheable)
        return fail_at(state, pool->pool->line,
                       rp_format(state->arena,
                                 "%s is relative and cacheable and lies at 0x%08x: loaders take "
                                 "such a pool from 0x60000000 on only",
                                 named(state, pool->pool), pool->pool->offset));
    rp_strings_push(state->arena, &state->out->warnings,
                    rp_format(state->arena,
                              "%s:%u: %s is relative and lies at 0x%08x, in internal memory",
                              state->aton->path, pool->pool->line, named(state, pool->pool),
                              pool->pool->offset));
    return true;
}

bool rp_aton_is_flash(uint32_t address) {
    return address >= UINT32_C(0x70000000) && address <= UINT32_C(0x8FFFFFFF);
}

static void warn_of_copy_to_flash(const struct state *state, const struct rp_aton_used *pool) {
    const struct rp_aton_pool *from = pool->pool;
    bool copy = RELOC_NPU_POOL_GET_TYPE(pool->flags) == RELOC_NPU_POOL_COPY;
    if (!copy || !rp_aton_is_flash(from->offset))
        return;
    rp_strings_push(state->arena, &state->out->warnings,
                    rp_format(state->arena,
                              "%s:%u: %s is absolute, so the loader copies its params to 0x%08x, "
                              "where memory-mapped flash is; that fails even if they are there "
                              "already. Make the pool relative: \"mode\": \"USEMODE_RELATIVE\" in "
                              "the memory-pool file, and compile the network again",
                              state->aton->path, from->line, named(state, from), from->offset));
}

static void measure(struct rp_aton_used *pool) {
    uint64_t offset = pool->pool->offset;
    pool->span = pool->last - pool->first + 1;
    pool->extent = pool->last + 1 - offset;
    if (!pool->has_params)
        return;
    pool->params_span = pool->params_last - pool->params_first + 1;
    pool->params_extent = pool->params_last + 1 - offset;
}

static void add_up(struct rp_aton_memory *out, const struct rp_aton_used *pool) {
    bool external = pool->pool->offset >= RELOC_NPU_EXTERNAL_ADDR;
    uint64_t acts = pool->span - pool->params_span;
    *(external ? &out->acts_external : &out->acts_internal) += acts;
    *(external ? &out->params_external : &out->params_internal) += pool->params_span;
    out->acts_size += acts;
    out->params_size += pool->params_span;
}

static bool check_count(const struct state *state) {
    const struct rp_aton_memory *out = state->out;
    if (out->used.count <= RELOC_NPU_POOLS_MAX)
        return true;
    const char *names = "";
    for (size_t i = 0; i < out->used.count; i++)
        names = rp_format(state->arena, "%s%s%s", names, *names != '\0' ? ", " : "",
                          named(state, out->used.items[i].pool));
    return rp_fail(state->err, RP_E_ATON_POOLS,
                   "%s: %zu memory pools are used, and loaders read %d at most: %s",
                   state->aton->path, out->used.count, RELOC_NPU_POOLS_MAX, names);
}

/* The list is complete, so pointers into it stay valid. */
static bool describe_all(const struct state *state) {
    for (size_t i = 0; i < state->out->used.count; i++) {
        struct rp_aton_used *pool = &state->out->used.items[i];
        measure(pool);
        add_up(state->out, pool);
        if (!describe(state, pool) || (!pool->pool->is_absolute && !take_relative(state, pool)))
            return false;
        warn_of_copy_to_flash(state, pool);
    }
    return true;
}

bool rp_aton_memory(struct rp_aton_memory *out, struct rp_arena *arena, const struct rp_aton *aton,
                    struct rp_error *err) {
    struct state state = {.out = out, .arena = arena, .aton = aton, .err = err};
    *out = (struct rp_aton_memory){0};
    collect_pools(&state);
    if (!place_buffers(&state) || !complete_pools(&state))
        return false;
    for (size_t i = 0; i < state.count; i++)
        if (is_used(&state.pools[i]))
            *RP_PUSH(arena, &out->used) = state.pools[i];
    if (!describe_all(&state))
        return false;
    out->ext_ram_size = out->relative_rw != NULL ? out->relative_rw->extent : 0;
    return check_count(&state);
}
