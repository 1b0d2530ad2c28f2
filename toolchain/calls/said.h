/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares what the user says of one value, a tensor or a number, with the type that the code
 * declares for it. Pure: each function returns NULL, or why both cannot be true.
 */
#ifndef RP_TOOLCHAIN_CALLS_SAID_H
#define RP_TOOLCHAIN_CALLS_SAID_H

#include "base/arena.h"
#include "toolchain/cread/type.h"
#include "toolchain/model.h"

/* What the model does with the memory of a tensor. */
enum rp_said_use {
    RP_SAID_READ, /* the model only reads it: an input, or an output in a buffer of its own */
    RP_SAID_WRITTEN
};

/*
 * A tensor whose address is a value of this type: a parameter, or a function's result. Types have
 * to be the same, and the number of elements has to be possible; the rank is free. void and bytes
 * say nothing about elements, but bytes have a size.
 */
const char *rp_said_at_address(struct rp_arena *arena, const struct rp_tensor *tensor,
                               const struct rp_ctype *type, enum rp_said_use use);
/* A tensor that is a variable of this type. */
const char *rp_said_in_variable(struct rp_arena *arena, const struct rp_tensor *tensor,
                                const struct rp_ctype *type, enum rp_said_use use);
/* The size of a variable of this type; 0: unknown. */
uint64_t rp_said_bytes(const struct rp_ctype *type);
/* A tensor of one element that is a value of this type. */
const char *rp_said_as_value(struct rp_arena *arena, const struct rp_tensor *tensor,
                             const struct rp_ctype *type);
/*
 * A number, written as in C, as a value of this type. converted: the compiler sees the declaration
 * and converts the number; else it passes it unchanged.
 */
const char *rp_said_number(struct rp_arena *arena, const char *number, const struct rp_ctype *type,
                           bool converted);
/*
 * The number as C text that has its value and type: the least int is -2147483647 - 1 there, as
 * -2147483648 is a long long.
 */
const char *rp_said_in_c(struct rp_arena *arena, const char *number);
/* A tensor as --entry has it: "in x:float32[1,28]". */
char *rp_said_text(struct rp_arena *arena, const struct rp_tensor *tensor, bool is_input);
/*
 * What --entry could say of a function, with N for unknown numbers; NULL: no output, or a parameter
 * is neither tensor nor number.
 */
char *rp_said_suggest_call(struct rp_arena *arena, const char *name, const struct rp_ctype *type);

/* An argument such as "4" as a number of elements; 0: it cannot be one. */
uint64_t rp_said_count(const char *argument);

#endif
