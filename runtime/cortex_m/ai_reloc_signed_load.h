/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader's part for signed images (AI_RELOC_SIGNED): verifies what an installation has copied,
 * and the functions that verify without one. Without the setting, what is left costs nothing.
 * Included by ai_reloc_network.c only, which has the functions that are declared here.
 */
#ifndef AI_RELOC_SIGNED_LOAD_H
#define AI_RELOC_SIGNED_LOAD_H

#include "../ai_reloc_network.h"
#include "../format/reloc_core.h"

#ifndef AI_RELOC_SIGNED

struct opened {
    struct reloc_view view;
};

/*@ assigns \nothing; */
static inline void opened_begin(struct opened *opened, ai_reloc_signed_info *info) {
    (void)opened, (void)info;
}

/*@ assigns \nothing; */
static inline bool by_signature(uint32_t code) {
    (void)code;
    return false;
}

/* What the RAM must not overlap: it is needed after the first write. */
/*@ requires \valid_read(view);
    assigns \nothing;
    ensures \result == view->content_end;
*/
static inline uint32_t needed_bytes(const struct reloc_view *view) {
    return view->content_end;
}

/* Rebases the copy of the data, which begins in block behind the code. */
/*@ requires \valid_read(view) && \valid_read(bases) && reloc_view_ok(view);
    requires \valid(bases->data + (0 .. view->got_end - 1));
    requires \separated(bases->data + (0 .. view->got_end - 1), view, bases);
    assigns bases->data[0 .. view->got_end - 1];
    ensures reloc_code(\result);
*/
static inline uint32_t rebase(const struct reloc_view *view, const struct reloc_bases *bases,
                              const uint8_t *block, uint32_t code_bytes) {
    (void)block, (void)code_bytes;
    return reloc_rebase_all(view, bases);
}

/*@ assigns \nothing; */
static inline uint32_t verify_first(const struct reloc_view *view) {
    (void)view;
    return RELOC_OK;
}

#else

#define RELOC_ARRIVE_HEADER RELOC_HDR_BYTES
#include "../loader/reloc_arrive.h"

/* ---- a load ---- */

/* A view, and where a load puts what the signature says; NULL: nowhere. */
struct opened {
    struct reloc_view view;
    ai_reloc_signed_info *info;
};

static inline void opened_begin(struct opened *opened, ai_reloc_signed_info *info) {
    opened->info = info;
}

/* Whether it was the signature: then nothing of the image has run. */
static inline bool by_signature(uint32_t code) {
    return code >= RELOC_N_UNSIGNED;
}

/* What the RAM must not overlap: here, with what stands behind the trailer. */
static inline uint32_t needed_bytes(const struct reloc_view *view) {
    uint32_t size = reloc_get_le32(view->image + view->trailer, RELOC_TRL_SIGNATURE_SIZE);
    return view->trailer + RELOC_TRL_BYTES +
           (size < RELOC_SIGNED_BYTES_MAX ? size : (uint32_t)RELOC_SIGNED_BYTES_MAX);
}

struct verification {
    struct reloc_verify v;
    struct reloc_tail tail;
};

/*
 * The bytes that will run: the header that was checked, code in the copy or where it lies, and the
 * data in the copy, before anything is rebased.
 */
static uint32_t verify_copy(struct verification *ver, const struct reloc_view *view,
                            const uint8_t *block, uint32_t code_bytes) {
    const uint8_t *code_at = code_bytes != 0 ? block : view->image;
    uint32_t code = reloc_verify_open(&ver->v, &ver->tail, view, view->weights_start);
    if (code != RELOC_OK)
        return code;
    reloc_verify_header(view, RELOC_HDR_BYTES);
    reloc_hash(AI_RELOC_DIGEST_LOAD, code_at + RELOC_HDR_BYTES, view->ro_bytes - RELOC_HDR_BYTES);
    reloc_hash(AI_RELOC_DIGEST_LOAD, block + code_bytes, view->got_end);
    return RELOC_OK;
}

/*
 * Rebases the copy in block between the two halves of its verification. REL decides what rebasing
 * does, so it is hashed when it has been read; rebasing is bounded, whatever REL says. The view of
 * a load stands in a struct opened.
 */
static uint32_t rebase(const struct reloc_view *view, const struct reloc_bases *bases,
                       uint8_t *block, uint32_t code_bytes) {
    struct verification ver;
    uint32_t code = verify_copy(&ver, view, block, code_bytes);
    if (code == RELOC_OK)
        code = reloc_rebase_all(view, bases);
    if (code == RELOC_OK)
        code = reloc_verify_rest(&ver.v, view, view->ro_bytes + view->got_end,
                                 AI_RELOC_SIGNED_WEIGHTS);
    if (code == RELOC_OK)
        code = reloc_verify_trust(&ver.v.s, ((const struct opened *)(const void *)view)->info);
    if (code != RELOC_OK) /* nothing of it stays, not even as data */
        memset(block, 0, code_bytes + view->got_end);
    return code;
}

/* For AI_RELOC_HARDENED: all of the verification, where the image lies, before it is copied. */
static inline uint32_t verify_first(const struct reloc_view *view) {
    struct verification ver;
    uint32_t code = reloc_verify_open(&ver.v, &ver.tail, view, view->weights_start);
    if (code == RELOC_OK) {
        reloc_hash_begin(AI_RELOC_DIGEST_LOAD);
        code = reloc_verify_rest(&ver.v, view, 0, AI_RELOC_SIGNED_WEIGHTS);
    }
    return code != RELOC_OK ? code : reloc_verify_trust(&ver.v.s, NULL);
}

static int32_t load_sized(const ai_rel_network_load_args *args, ai_handle *hdl, ai_error *error,
                          ai_reloc_signed_info *info);

int32_t ai_rel_network_load_signed(const ai_rel_network_load_args *args, ai_handle *hdl,
                                   ai_error *error, ai_reloc_signed_info *info) {
    return load_sized(args, hdl, error, info);
}

/* ---- without a load ---- */

static uint32_t open_sized(const uint8_t *obj, uint32_t size, struct reloc_view *view);
static uint32_t check_core(uint32_t flags);
static uint32_t check_weights(const struct reloc_view *view, const void *weights, uint32_t size);

int32_t ai_rel_network_verify(const void *obj, ai_size size, const void *weights,
                              ai_size weights_size, ai_reloc_signed_info *info) {
    struct reloc_view view;
    uint32_t code = open_sized(obj, size, &view);
    if (code == RELOC_OK && weights != NULL)
        code = check_weights(&view, weights, weights_size);
    if (code == RELOC_OK)
        code = reloc_verify_in_place(&view, view.weights_start, (const uint8_t *)weights,
                                     weights_size, info);
    return reloc_result(code);
}

int32_t ai_rel_network_commit(const ai_reloc_signed_info *info) {
    return reloc_result(reloc_verify_commit(info));
}

/* ---- a file that arrives ---- */

/* Everything that the header alone tells: the parts, the entries, and whether this core fits. */
static uint32_t reloc_arrive_header(ai_reloc_check *check, struct reloc_view *view) {
    uint32_t code;
    view->image = (const uint8_t *)check->header;
    view->size = RELOC_SIZE_UNKNOWN;
    if ((code = reloc_check_identity(view, RELOC_HDR_BYTES, RELOC_MAJOR)) != RELOC_OK ||
        (code = reloc_check_order(view, RELOC_SEG_RAM, RELOC_HDR_BYTES)) != RELOC_OK ||
        (code = reloc_check_weights(view)) != RELOC_OK ||
        (code = reloc_check_entries(view, RELOC_ENTRY_CTX, RELOC_HDR_BYTES)) != RELOC_OK)
        return code;
    view->trailer = reloc_round4(view->content_end);
    return check_core(view->flags);
}

int32_t ai_reloc_check_begin(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_begin(check));
}
int32_t ai_reloc_check_update(ai_reloc_check *check, const void *bytes, ai_size size) {
    return reloc_result(reloc_arrive_update(check, (const uint8_t *)bytes, size));
}
int32_t ai_reloc_check_end(ai_reloc_check *check, ai_reloc_signed_info *info) {
    return reloc_result(reloc_arrive_end(check, info));
}
int32_t ai_reloc_check_weights_begin(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_weights_begin(check));
}
int32_t ai_reloc_check_weights_update(ai_reloc_check *check, const void *bytes, ai_size size) {
    return reloc_result(reloc_arrive_weights_update(check, (const uint8_t *)bytes, size));
}
int32_t ai_reloc_check_weights_end(ai_reloc_check *check) {
    return reloc_result(reloc_arrive_weights_end(check));
}

#endif

#endif
