/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every dialect turns its input into: one model, independent of the generator that wrote it.
 * Strings and arrays live in the command's arena.
 */
#ifndef RP_TOOLCHAIN_MODEL_H
#define RP_TOOLCHAIN_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/error.h"

enum { RP_RANK_MAX = 8 };

/* One row: name in reports and manifests, C type, bytes, how ai_buffer formats it. */
struct rp_dtype {
    const char *name;
    const char *c_type;
    uint32_t size_bytes;
    bool is_float;
    bool is_signed;
};

/* The dtype of a name ("float32", "float", "int8", "int8_t", …), or NULL. */
const struct rp_dtype *rp_dtype_find(const char *name);

/* A call of one of the model's functions, as the user wrote it: NAME(arguments) -> result. */
struct rp_call {
    const char *name;            /* NULL: no call */
    struct rp_strings arguments; /* "in0", "out0", or a C number: 4, -1, 0.5f */
    const char *result;          /* "out1": an output; a number: what it returns when all went
                                    well; NULL: ignored */
};

struct rp_tensor {
    const char *name;
    const struct rp_dtype *dtype;
    uint32_t shape[RP_RANK_MAX]; /* as declared in C, outermost first */
    unsigned rank;
    bool quantised; /* scale and zero_point are known */
    double scale;
    int32_t zero_point;
    struct rp_call get; /* the model's own buffer for it: a function returns its address, … */
    const char *at;     /* … or it is this variable; neither: its address is an argument */
};

struct rp_tensors {
    struct rp_tensor *items;
    size_t count;
    size_t capacity;
};

/* Product of the dimensions; at least 1. */
uint64_t rp_tensor_elements(const struct rp_tensor *tensor);
uint64_t rp_tensor_bytes(const struct rp_tensor *tensor);

/*
 * How templates/glue_c.c calls a model: C text for model_glue.h. The expressions are not 0 when all
 * went well. in[] and out[] are the application's buffers; with parts_align, rp_weights and rp_acts
 * are the addresses of weights and activations.
 */
struct rp_calls {
    const char *declarations; /* prototypes, types, variables */
    const char *init;         /* expression at each init, or NULL */
    const char *run;          /* expression of in[] and out[]; NULL: all by the names below */
    const char *destroy;      /* statement, or NULL */
    uint32_t parts_align;     /* the two parts are handed on, aligned to this; 0: not */
    const char *signature;    /* text of the report's model_signature; NULL: the entry */
};

/* A symbol of the firmware: --import. */
struct rp_host_import {
    const char *name;
    uint32_t version; /* 0: any */
    bool offered;     /* by a firmware, not asked for: imported if it is wanted */
    bool wanted;      /* an object refers to it */
    bool called;      /* by a branch */
};

struct rp_host_imports {
    struct rp_strings specs;      /* "NAME" or "NAME@VERSION", as the user wrote them */
    struct rp_strings offers;     /* the same, of a firmware */
    struct rp_host_import *items; /* both, read */
    size_t count;
    size_t capacity;
};

/* What is compiled and linked. Paths are absolute. */
struct rp_model_code {
    struct rp_strings sources; /* C files */
    struct rp_strings offered; /* of these, those of folders: compiled if they are needed */
    struct rp_strings include_dirs;
    struct rp_strings defines;    /* "NAME" or "NAME=VALUE" */
    struct rp_strings libraries;  /* archives and objects */
    struct rp_strings used_files; /* inputs that the report lists; sources are added to them */
    bool is_header;               /* the first source is included by the file that calls it, … */
    bool is_cplusplus;            /* … which is C++ */
};

struct rp_declared_list;

/* The functions that a firmware would call. */
struct rp_model_entry {
    const char *name;            /* of the function that runs the model */
    struct rp_strings arguments; /* "in0", "out0", … in the order of its parameters; numbers */
    const char *result;          /* as in rp_call */
    bool returns_address;        /* of the result, which is an output */
    const char *called;          /* the name in the sources, where it is another; or NULL */
    const char *class_name;      /* C++: it is called for an object of this class; or NULL */
    const char *typed_by;        /* tvm: a function with parameters named like the tensors */
    bool is_missing;             /* with an error: another source may define it */
    bool types_known;            /* the input has the tensors' types: --entry may leave them out */
    const char *said_by;         /* who says the tensors: "--entry '...'", a manifest; or NULL */
    const struct rp_declared_list *declared; /* what the sources declare, by our reader */
    struct rp_call init;                     /* called at each init; no tensors */
    struct rp_call destroy;                  /* at destroy, and before another init */
    struct rp_strings roots; /* more functions that a firmware calls, where there is no entry */
};

/* Which bytes are the weights. */
enum rp_weights_policy {
    RP_WEIGHTS_BY_SIZE,   /* large constants of the model's sources */
    RP_WEIGHTS_OF_ARRAY,  /* the array named symbol; when it is not there, file */
    RP_WEIGHTS_OF_SOURCE, /* all constants of source */
    RP_WEIGHTS_IN_FILE,   /* file; NULL: there are none */
    RP_WEIGHTS_IN_POOLS,  /* sections that the linker script sets apart, then pools */
};

/* The initial bytes of a memory pool: a file and zeros behind it. */
struct rp_weights_pool {
    const char *path;
    uint64_t size; /* of the file, bytes */
    uint64_t padding;
};

struct rp_model_weights {
    enum rp_weights_policy policy;
    const char *symbol;
    const char *source;
    const char *file; /* raw weights */
    struct {
        struct rp_weights_pool *items;
        size_t count;
        size_t capacity;
    } pools;
    uint64_t size; /* as the generated code declares, bytes */
};

/* What the build of a model needs besides its code. */
struct rp_model_needs {
    struct rp_strings link_options; /* for the linker itself */
    const char *extra_system_path;  /* folder with the compiler, or NULL */
    const char *pack_dir;           /* root of the vendor's pack, absolute, or NULL */
    bool vendor_runtime;            /* the vendor's kernels find their data by r9 */
    bool may_patch; /* copy-only, unless all of its libraries are position-independent */
};

/* Dialect st-ai: what its entry glue includes and calls. */
struct rp_model_st_ai {
    const char *network_header; /* "network.h" */
    const char *data_header;    /* "network_data.h" */
    bool vendor_macro;          /* the pack has AI_RELOC_NETWORK, and the model could use it */
    bool vendor_table;          /* it supplies the entry table of this build */
    bool split_weights;         /* an array for each tensor, not one for all */
    bool observer_allocates;    /* headers of runtime 5.1: no ai_platform_observer_register_s */
    unsigned api;               /* 1: get_info era (to 6), 2: 7.0 map era and later */
};

struct rp_dialect;

struct rp_model {
    const char *name;   /* as the user sees it; file base */
    const char *c_name; /* as an identifier */
    const struct rp_dialect *dialect;
    const char *generator;    /* what wrote the code, or NULL */
    struct rp_tensors inputs; /* empty when only the runtime knows them */
    struct rp_tensors outputs;
    struct rp_diagnostics notes; /* what the user should know of the input */
    struct rp_model_code code;
    struct rp_host_imports imports;
    struct rp_model_entry entry; /* dialects of plain functions; st-ai: the network's name */
    struct rp_calls calls;
    struct rp_model_weights weights;
    uint64_t acts_size; /* as the generated code declares, bytes */
    struct rp_model_needs needs;
    struct rp_model_st_ai st_ai;
    const void *own; /* what else the dialect knows of it: read by its own files alone */
};

/* Adds a tensor to the inputs or outputs, and its place to the entry's arguments. */
void rp_model_add_argument(struct rp_model *model, struct rp_arena *arena, bool is_output,
                           const struct rp_tensor *tensor);
/* The tensor at a place such as "in2" or "out0". */
const struct rp_tensor *rp_tensor_at(const struct rp_model *model, const char *place);
/* The place of the tensor of that name, or NULL. */
char *rp_tensor_place(const struct rp_model *model, struct rp_arena *arena, const char *name);
/*
 * Options for the folders of the sources: __FILE__ must not tell where they are. Debug information
 * does, if debug_paths is set.
 */
void rp_model_prefix_maps(struct rp_arena *arena, const struct rp_model *model, bool debug_paths,
                          struct rp_strings *list);

/*
 * The smallest constant of a source that belongs to the weights, in bytes; 0: none does. by_size:
 * what the user says for RP_WEIGHTS_BY_SIZE.
 */
uint32_t rp_weights_threshold(const struct rp_model *model, const char *source, uint32_t by_size);

#endif
