/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a Glow AOT bundle: sizes of its memories, tensors, entry. In: the text. Out: the
 * contents of its macros, comments and prototype, which have to agree. Pure.
 */
#ifndef RP_TOOLCHAIN_DIALECTS_GLOW_HEADER_H
#define RP_TOOLCHAIN_DIALECTS_GLOW_HEADER_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/model.h"

enum rp_glow_direction { RP_GLOW_UNKNOWN, RP_GLOW_INPUT, RP_GLOW_OUTPUT };

/* A placeholder: a tensor in the mutable memory. */
struct rp_glow_tensor {
    struct rp_tensor
        tensor;       /* dtype NULL: the type is not given or has no dtype; rank 0: no shape */
    const char *type; /* as the comment spells it, or NULL: there is no comment */
    uint32_t offset;  /* in the mutable memory, bytes */
    uint32_t size;    /* bytes; 0: not given */
    enum rp_glow_direction direction;
};

struct rp_glow {
    const char *path;                                       /* for messages */
    const char *prefix;                                     /* of its macros: "LENET_MNIST" */
    const char *entry;                                      /* function that runs the model */
    bool returns_int;                                       /* 0: it worked */
    const char *version;                                    /* of the generator, or NULL */
    uint32_t constant_size, mutable_size, activations_size; /* bytes */
    uint32_t align;                                         /* of all three */
    struct {
        struct rp_glow_tensor *items;
        size_t count;
        size_t capacity;
    } tensors; /* by offset */
};

struct rp_glow_text {
    const char *path;
    const char *text;
    size_t len;
};

/* A cheap test: does the text look like such a header, rather than one that uses it? */
bool rp_glow_is_header(const char *text);
/*
 * RP_E_INPUT with file and line for anything missing, contradictory, or defined twice with
 * different values; RP_E_TOO_LARGE. Directions stay unknown; rp_glow_check has to be called
 * afterwards.
 */
bool rp_glow_parse(struct rp_glow *glow, struct rp_arena *arena, const struct rp_glow_text *text,
                   struct rp_error *err);
/*
 * Decides which tensors are inputs and which are outputs. Neither the header nor the order of its
 * comments says so. But Glow allocates inputs first, so only the border has to be found, by the
 * names that frameworks use. RP_E_ENTRY if the names do not decide or contradict each other.
 */
bool rp_glow_direct(struct rp_glow *glow, struct rp_error *err);
/* Sets the sizes of tensors with type and shape, and checks that they agree, fit and do not
 * overlap.
 */
bool rp_glow_check(struct rp_glow *glow, struct rp_error *err);
struct rp_glow_tensor *rp_glow_find(const struct rp_glow *glow, const char *name);

#endif
