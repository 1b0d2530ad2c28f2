/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads TVM's generated C: its functions, the structs they take, the sizes it defines. Pure: text
 * in, lists out. Nothing is preprocessed, because generated code has no conditions.
 */
#ifndef RP_TOOLCHAIN_DIALECTS_TVM_READ_H
#define RP_TOOLCHAIN_DIALECTS_TVM_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/dialects/mlf.h"

struct rp_tvm_param {
    const char *type; /* words and stars, joined by blanks: "struct tvmgen_x_inputs *" */
    const char *name; /* "" when it has none */
};

struct rp_tvm_function {
    const char *name;
    const char *file;
    unsigned line;
    bool defined; /* not only declared */
    struct rp_tvm_param *items;
    size_t count;
    size_t capacity;
};

/* struct tvmgen_<model>_<role> of pointers. */
struct rp_tvm_struct {
    const char *name;
    struct rp_strings members;
};

struct rp_tvm_size {
    const char *name; /* of the macro */
    uint64_t value;
};

struct rp_tvm_code {
    struct {
        struct rp_tvm_function *items;
        size_t count;
        size_t capacity;
    } functions; /* tvmgen_…_run, …_run_model, …___tvm_main__, as often as they are declared */
    struct {
        struct rp_tvm_struct *items;
        size_t count;
        size_t capacity;
    } structs;
    struct {
        struct rp_tvm_size *items;
        size_t count;
        size_t capacity;
    } sizes;
    size_t allocations; /* places that call TVMBackendAllocWorkspace */
};

/* RP_E_INPUT with file and line: not C, or a struct with members other than pointers. */
bool rp_tvm_read(struct rp_tvm_code *code, struct rp_arena *arena, const struct rp_mlf_file *file,
                 struct rp_error *err);
const struct rp_tvm_struct *rp_tvm_find_struct(const struct rp_tvm_code *code, const char *name);
/* The value of a macro; 0 if it is not there. */
uint64_t rp_tvm_find_size(const struct rp_tvm_code *code, const char *name);
/*
 * Shape and type of an input ("%name: Tensor[(1, 4), float32]") in the text of the model's main
 * function; for name NULL of its only result ("-> Tensor[…]"). false when it does not say them.
 */
bool rp_tvm_relay(struct rp_arena *arena, const char *text, const char *name,
                  struct rp_tensor *tensor);

#endif
