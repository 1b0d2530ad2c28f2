/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header of a Glow AOT bundle: sizes of its memories, tensors, entry. In: the text. Out: what
 * its macros, its comments and its prototype say; they have to agree. Pure.
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
        tensor;       /* dtype NULL: the type is not said or has no dtype; rank 0: no shape */
    const char *type; /* as the comment spells it, or NULL: there is no comment */
    uint32_t offset;  /* in the mutable memory, bytes */
    uint32_t size;    /* bytes; 0: not said */
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

/* Looks like such a header, not like one that uses it: cheap. */
bool rp_glow_is_header(const char *text);
/*
 * RP_E_INPUT with file and line: what is missing, defined twice with different values, or does not
 * agree. RP_E_TOO_LARGE. Directions stay unknown; rp_glow_check is still to be called.
 */
bool rp_glow_parse(struct rp_glow *glow, struct rp_arena *arena, const struct rp_glow_text *text,
                   struct rp_error *err);
/*
 * Which tensors are inputs, which outputs. A header does not say it, nor does the order of its
 * comments. But Glow allocates inputs first, so that only the place of the border is to be found:
 * by the names that frameworks give. RP_E_ENTRY when they do not decide, or contradict.
 */
bool rp_glow_direct(struct rp_glow *glow, struct rp_error *err);
/* Sizes, which are then set for all that have type and shape: they agree, fit, do not overlap. */
bool rp_glow_check(struct rp_glow *glow, struct rp_error *err);
struct rp_glow_tensor *rp_glow_find(const struct rp_glow *glow, const char *name);

#endif
