/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Neural-ART loader's part for signed images (LL_ATON_RELOC_SIGNED): verifies what an
 * installation has copied and the params that it will use, and the functions that verify without
 * one. Without the setting, what is left costs nothing. Included by ll_aton_reloc_network.c only.
 */
#ifndef LL_ATON_RELOC_VERIFY_H
#define LL_ATON_RELOC_VERIFY_H

#include "../ll_aton_reloc_loader.h"
#include "ll_aton_reloc_plan.h"
#include "../format/reloc_npu_core.h"

#ifndef LL_ATON_RELOC_SIGNED

/*@ assigns \nothing; */
static inline void plan_info(struct plan *plan, ai_reloc_signed_info *info) {
    (void)plan, (void)info;
}

/* Rebases the copy of bytes bytes. */
/*@ requires \valid(plan) && \valid_read(bases) && bases->copy != \null;
    requires npu_parts(&plan->view) && reloc_npu_reach(&plan->view);
    requires reloc_npu_installs(&plan->view, bases) && \separated(plan, bases);
    requires \separated(bases->copy + (0 .. reloc_npu_copied(&plan->view, bases) - 1), plan);
    assigns plan->view.params_need, plan->view.uses_param_0, plan->view.needs_copy,
            bases->copy[0 .. reloc_npu_copied(&plan->view, bases) - 1];
    ensures reloc_code(\result);
    ensures \result == RELOC_OK ==> reloc_npu_reach(&plan->view);
    ensures plan->view.params_need == \old(plan->view.params_need);
*/
static inline uint32_t rebase(struct plan *plan, const struct reloc_npu_bases *bases,
                              uint32_t bytes) {
    (void)bytes;
    return reloc_npu_rebase_all(&plan->view, bases);
}

#else

#define RELOC_ARRIVE_HEADER RELOC_NPU_HDR_BYTES_13
#include "../loader/reloc_arrive.h"

static inline void plan_info(struct plan *plan, ai_reloc_signed_info *info) {
    plan->info = info;
}

/* ---- an installation ---- */

struct verification {
    struct reloc_verify v;
    struct reloc_tail tail;
};

/*
 * Whether the data that was copied says what the plan was made of: the image may have changed
 * between.
 */
static bool is_as_planned(const struct reloc_npu_view *v, const uint8_t *data) {
    const uint8_t *ctx = data + v->base.ctx, *row = data + v->pools;
    bool late = v->rt_version >= RELOC_NPU_CTX_SINCE;
    bool same =
        reloc_get_le32(ctx, RELOC_NPU_CTX_PARAMS_SIZE) == v->base.weights_size &&
        reloc_get_le32(ctx, RELOC_NPU_CTX_EXT_RAM_SIZE) == v->ext_ram_size &&
        reloc_get_le32(ctx, RELOC_NPU_CTX_RT_VERSION) == v->rt_version &&
        reloc_get_le32(ctx, RELOC_NPU_CTX_PARAMS_BIN_SIZE) == v->params_bin_size &&
        reloc_get_le32(ctx, late ? (uint32_t)RELOC_NPU_CTX_INTERFACE
                                 : (uint32_t)RELOC_NPU_CTX_INTERFACE_EARLY) == v->interface_word;
    for (uint32_t i = 0; i < v->pool_count; i++, row += RELOC_NPU_POOL_BYTES)
        same = same && reloc_get_le32(row, RELOC_NPU_POOL_NAME) != 0 &&
               reloc_get_le32(row, RELOC_NPU_POOL_FLAGS) == v->rows[i].flags &&
               reloc_get_le32(row, RELOC_NPU_POOL_FOFF) == v->rows[i].foff &&
               reloc_get_le32(row, RELOC_NPU_POOL_DST) == v->rows[i].dst &&
               reloc_get_le32(row, RELOC_NPU_POOL_SIZE) == v->rows[i].size;
    return same && reloc_get_le32(row, RELOC_NPU_POOL_NAME) == 0;
}

/*
 * The bytes that will run: in COPY mode the copy, with the header that was checked; in XIP mode
 * that header, the code where it lies, and the copy of the data. Before anything is rebased.
 */
static uint32_t verify_copy(struct verification *ver, const struct plan *plan,
                            const uint8_t *block) {
    const struct reloc_view *v = &plan->view.base;
    uint32_t code_bytes = is_copy(plan) ? v->ro_bytes : 0;
    uint32_t header_bytes = reloc_npu_header_bytes(&plan->view);
    uint32_t code = reloc_verify_open(&ver->v, &ver->tail, v, plan->view.params_start);
    if (code != RELOC_OK)
        return code;
    if (!is_as_planned(&plan->view, block + code_bytes))
        return RELOC_N_SIGNED_IMAGE;
    reloc_verify_header(v, header_bytes);
    reloc_hash(AI_RELOC_DIGEST_LOAD, (code_bytes != 0 ? block : v->image) + header_bytes,
               v->ro_bytes - header_bytes);
    reloc_hash(AI_RELOC_DIGEST_LOAD, block + code_bytes, v->got_end);
    return RELOC_OK;
}

/*
 * The rest of the image, the signature, and the params that are going to be used: their length is
 * known when the signature holds. Stops: params of the caller that are shorter than the signed.
 */
static uint32_t verify_rest(struct verification *ver, const struct plan *plan) {
    const struct reloc_view *v = &plan->view.base;
    const struct reloc_signed *s = &ver->v.s;
    uint32_t code = reloc_verify_rest(&ver->v, v, v->ro_bytes + v->got_end, false);
    if (code == RELOC_OK)
        code = reloc_verify_trust(s, plan->info);
    if (code != RELOC_OK || !AI_RELOC_SIGNED_WEIGHTS || !ver->v.content.has_weights)
        return code;
    uint32_t at = s->at[RELOC_SGN_WEIGHTS_SHA256] + RELOC_SHA256_BYTES;
    uint32_t length = reloc_get_le32(s->bytes, at);
    if (plan->config.ext_param_addr != 0 && plan->sized && length > plan->args.params_size)
        return RELOC_N_SIGNED_WEIGHTS;
    reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
    reloc_hash(AI_RELOC_DIGEST_LOAD, bytes_at(plan->kept[KEPT_PARAMS].start), length);
    return reloc_hash_is(AI_RELOC_DIGEST_LOAD, s, RELOC_SGN_WEIGHTS_SHA256)
               ? RELOC_OK
               : RELOC_N_SIGNED_WEIGHTS;
}

/*
 * Rebases the copy of bytes bytes between the two halves of its verification. REL decides what
 * rebasing does, so it is hashed when it has been read; rebasing is bounded, whatever REL says.
 */
static uint32_t rebase(struct plan *plan, const struct reloc_npu_bases *bases, uint32_t bytes) {
    struct verification ver;
    uint32_t code = verify_copy(&ver, plan, bases->copy);
    if (code == RELOC_OK)
        code = reloc_npu_rebase_all(&plan->view, bases);
    if (code == RELOC_OK)
        code = verify_rest(&ver, plan);
    if (code != RELOC_OK) /* nothing of it stays, not even as data */
        memset(bases->copy, 0, bytes);
    return code;
}

static int32_t install_args(const ll_aton_reloc_install_args *args, bool sized,
                            NN_Instance_TypeDef *nn_instance, ai_reloc_signed_info *info);

int32_t ll_aton_reloc_install_signed(const ll_aton_reloc_install_args *args,
                                     NN_Instance_TypeDef *nn_instance, ai_reloc_signed_info *info) {
    return install_args(args, true, nn_instance, info);
}

/* ---- signed images without an installation ---- */

int32_t ll_aton_reloc_verify(const void *image, uint32_t size, const void *params,
                             uint32_t params_size, ai_reloc_signed_info *info) {
    struct reloc_npu_view view;
    uint32_t code = open_sized((const uint8_t *)image, size, &view);
    if (code == RELOC_OK && params != NULL)
        code = check_params(&view, (const uint8_t *)params, params_size);
    if (code == RELOC_OK)
        code = reloc_verify_in_place(&view.base, view.params_start, (const uint8_t *)params,
                                     params_size, info);
    return reloc_result(code);
}

int32_t ll_aton_reloc_commit(const ai_reloc_signed_info *info) {
    return reloc_result(reloc_verify_commit(info));
}

/* What the header alone tells; how long params in the file are, the context does. */
static uint32_t reloc_arrive_header(ai_reloc_check *check, struct reloc_view *view) {
    struct reloc_npu_view v;
    struct reloc_view *b = &v.base;
    uint32_t code;
    b->image = (const uint8_t *)check->header;
    b->size = RELOC_SIZE_UNKNOWN;
    if ((code = reloc_check_identity(b, RELOC_NPU_HDR_BYTES, RELOC_NPU_MAJOR)) != RELOC_OK ||
        (code = reloc_check_order(b, RELOC_NPU_SEG_RAM, RELOC_NPU_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_npu_check_entries(&v)) != RELOC_OK)
        return code;
    uint32_t start = reloc_get_le32(b->header, RELOC_NPU_HDR_PARAMS_OFFSET);
    if (start != 0 &&
        (start < b->rel_end || start % RELOC_NPU_ALIGN != 0 || start > RELOC_OFFSET_MASK))
        return RELOC_N_PARAMS;
    if (b->ctx % 4u != 0 || b->ctx > b->data_end || b->data_end - b->ctx < RELOC_NPU_CTX_BYTES)
        return RELOC_N_CONTEXT;
    b->weights_start = start;
    b->trailer = start != 0 ? RELOC_ARRIVE_LATER : reloc_round4(b->rel_end);
    check->word_at = start != 0 ? b->ro_bytes + b->ctx + RELOC_NPU_CTX_PARAMS_BIN_SIZE : 0;
    *view = *b;
    return check_flags(b->flags);
}

int32_t ll_aton_reloc_check_begin(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_begin(check));
}
int32_t ll_aton_reloc_check_update(ai_reloc_check *check, const void *bytes, uint32_t size) {
    return reloc_result(reloc_arrive_update(check, (const uint8_t *)bytes, size));
}
int32_t ll_aton_reloc_check_end(ai_reloc_check *check, ai_reloc_signed_info *info) {
    return reloc_result(reloc_arrive_end(check, info));
}
int32_t ll_aton_reloc_check_params_begin(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_weights_begin(check));
}
int32_t ll_aton_reloc_check_params_update(ai_reloc_check *check, const void *bytes, uint32_t size) {
    return reloc_result(reloc_arrive_weights_update(check, (const uint8_t *)bytes, size));
}
int32_t ll_aton_reloc_check_params_end(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_weights_end(check));
}

#endif

#endif
