/* SPDX-License-Identifier: Apache-2.0 */
/* Neural-ART images: see npu.h. */
#include "cli/verify/npu.h"

#include "base/path.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/npu/plan.h"

/*
 * The loader refuses an image that was not built like the firmware. The firmware is compiled with
 * gcc even for images of clang, because it needs a C library, which clang often lacks.
 */
static void choose(struct rp_verification *verify) {
    uint32_t flags = verify->subject.view.view.flags;
    verify->options->source.input.npu = (struct rp_npu_choice){
        .no_secure = (flags & RELOC_NPU_FLAG_SECURE) == 0,
        .no_dbg_info = (flags & RELOC_NPU_FLAG_EB_DBG_INFO) == 0,
        .polling = (flags & RELOC_NPU_FLAG_ASYNC) == 0,
    };
    verify->options->source.input.compiler = &rp_gcc;
}

static bool is_relative(uint32_t flags) {
    return RELOC_NPU_POOL_GET_TYPE(flags) == RELOC_NPU_POOL_RELOC;
}

static bool keep_away(struct rp_verification *verify, uint32_t address, uint64_t size,
                      const char *what, struct rp_error *err) {
    const struct rp_area external = rp_board_external(verify->board);
    uint32_t offset = address - external.address;
    if (offset >= external.size || size > external.size - offset)
        return rp_fail(err, RP_E_VERIFY,
                       "%s (0x%08x, %llu bytes) is not in the external memory of the emulated "
                       "board %s (0x%08x to 0x%08x)",
                       what, address, (unsigned long long)size, verify->board->machine,
                       external.address, external.address + (external.size - 1));
    rp_space_take(&verify->space, (struct rp_area){address, (uint32_t)size});
    return true;
}

/*
 * Pools at fixed addresses: those of the network, and those that the image names, which may be
 * damaged.
 */
static bool reserve_pools(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[i];
        uint64_t size = pool->used->size_bytes;
        if (!is_relative(pool->used->flags) &&
            !keep_away(verify, pool->used->dst, pool->raw_size > size ? pool->raw_size : size,
                       rp_format(verify->arena, "pool %s", pool->used->pool->postfix), err))
            return false;
    }
    for (uint32_t i = 0; i < verify->subject.view.npu.pool_count; i++) {
        const struct reloc_npu_row row = verify->subject.view.npu.rows[i];
        if (!is_relative(row.flags) &&
            !keep_away(verify, row.dst, reloc_npu_round8(row.size),
                       rp_format(verify->arena, "pool %u of the image", i), err))
            return false;
    }
    return true;
}

static bool open(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    if (!npu->ll_aton.is_software) {
        rp_fail(err, RP_E_VERIFY,
                "the NPU is not emulated, and the vendor's pack '%s' may run on the vendor's "
                "devices only",
                npu->ll_aton.dir);
        return rp_hint(err, "`verify` runs Neural-ART images with a pack whose epochs run in "
                            "software (LL_ATON_SOFTWARE_NPU in its ll_aton_version.h)");
    }
    return reserve_pools(verify, err);
}

/* ---- the static build ---- */

static bool place(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    struct rp_want wants[2];
    size_t count = 0;
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[i];
        uint32_t id = RELOC_NPU_POOL_GET_ID(pool->used->flags);
        uint64_t size = pool->used->size_bytes;
        if (is_relative(pool->used->flags) && count < 2)
            wants[count++] = (struct rp_want){
                .what = rp_format(verify->arena, "pool %s", pool->used->pool->postfix),
                .size = (uint32_t)(pool->raw_size > size ? pool->raw_size : size),
                .align = 32,
                .place = &verify->places.labels[id],
                .above = RELOC_NPU_EXTERNAL_ADDR};
    }
    return rp_space_place(&verify->space, wants, count, true, err);
}

static uint32_t place_of(const struct rp_verification *verify, uint32_t id) {
    return verify->places.labels[id].address;
}

/* Pools without initialisers begin with whatever the memory holds. */
static void fill(struct rp_verification *verify) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    struct rp_space *unused = &verify->places.fixed.unused;
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[i];
        uint32_t id = RELOC_NPU_POOL_GET_ID(pool->used->flags);
        if (pool->raw == NULL && is_relative(pool->used->flags) && unused->count < RP_SPACE_MAX)
            unused->free[unused->count++] = verify->places.labels[id];
    }
}

static void set_harness(const struct rp_verification *verify, struct rp_harness *harness) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    harness->network = npu->aton.network;
    harness->ll_aton_dir = npu->ll_aton.dir;
    harness->is_secure = (verify->subject.view.view.flags & RELOC_NPU_FLAG_SECURE) != 0;
    for (size_t i = 0; harness->is_static && i < npu->pool_count; i++) {
        const struct rp_aton_used *used = npu->pools[i].used;
        uint32_t id = RELOC_NPU_POOL_GET_ID(used->flags);
        if (is_relative(used->flags))
            harness->labels[id] = (struct rp_label){used->pool->label, place_of(verify, id)};
    }
}

/* The emulator puts the initialisers where the static build has its pools. */
static size_t blobs_of(const struct rp_verification *verify, struct rp_blob *blobs) {
    const struct rp_npu *npu = rp_npu_of(&verify->model.model);
    size_t count = 0;
    for (size_t i = 0; i < npu->pool_count; i++) {
        const struct rp_npu_pool *pool = &npu->pools[i];
        uint32_t flags = pool->used->flags;
        if (pool->raw != NULL)
            blobs[count++] = (struct rp_blob){
                pool->raw, is_relative(flags) ? place_of(verify, RELOC_NPU_POOL_GET_ID(flags))
                                              : pool->used->dst};
    }
    return count;
}

const struct rp_verify_format rp_verify_neural_art = {
    .align = RELOC_NPU_ALIGN,
    .above = RELOC_NPU_EXTERNAL_ADDR,
    .memory_at_load = true,
    .choose = choose,
    .open = open,
    .harness = set_harness,
    .place = place,
    .fill = fill,
    .blobs = blobs_of,
};
