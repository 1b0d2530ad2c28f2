/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a network.c of the Neural-ART compiler (atonn) says about itself. In: the text of network.c,
 * and of <name>_ecblobs.h; out: structs whose strings lie in the arena. The text is not
 * preprocessed: all of it is read, whichever condition it stands under. Source of the forms:
 * generated files of atonn 1.0.0 to 1.1.3, and the specification of inputs, section 3.
 */
#ifndef RP_TOOLCHAIN_NPU_NETWORK_H
#define RP_TOOLCHAIN_NPU_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum { RP_ATON_POOLS_MAX = 64 };

struct rp_aton_text {
    const char *path; /* for messages */
    const char *bytes;
    size_t size;
};

struct rp_aton_option {
    const char *key;   /* without its dashes: "all-buffers-info" */
    const char *value; /* without quotes; "" when there is none */
};

struct rp_aton_version {
    bool known;    /* there is a directive that compares all four numbers */
    bool is_error; /* another one is #error, otherwise #warning */
    unsigned major, minor, micro, dev;
    unsigned line;
};

/* A memory pool, as its two comments describe it. */
struct rp_aton_pool {
    unsigned id;
    unsigned line; /* of the comment that has offset and size */
    const char *postfix;
    const char *name;
    const char *format;      /* of its initialiser, when the comment names one; otherwise NULL */
    uint64_t declared_bytes; /* used size; the generator rounds it to 0.01 KB or MB. 0: "?" */
    uint32_t offset;         /* the nominal address */
    uint32_t size_bytes;     /* 0: the pool exists, and nothing can lie in it */
    bool is_absolute;
    bool is_virtual; /* made of the pools whose postfixes are the parts of its own */
    bool is_writable;
    bool is_cacheable;
    const char *label;    /* C name of a relative pool's memory; NULL: absolute, or none declared */
    uint64_t label_bytes; /* as its comment says; 0: it does not */
    unsigned label_line;
};

enum rp_aton_table { RP_ATON_INPUT, RP_ATON_OUTPUT, RP_ATON_INTERNAL, RP_ATON_TABLES };

struct rp_aton_integers {
    const int64_t *items;
    size_t count;
};

struct rp_aton_reals {
    const double *items;
    size_t count;
};

/* One row of a buffer table. */
struct rp_aton_buffer {
    const char *name;
    enum rp_aton_table table;
    unsigned line;
    bool is_param;
    bool is_user_allocated; /* the label is a variable with the address, in no pool */
    bool is_per_channel;
    int64_t epoch; /* -1: not said, as in the other members */
    int64_t batch;
    const char *label;          /* what the addresses count from; NULL: they are absolute */
    uint64_t base;              /* of the absolute address, in the form with .addr_base; or 0 */
    uint64_t start, end, limit; /* bytes from the label, or addresses (base included); end is
                                   behind the last byte, limit behind what may be read */
    const char *type;           /* "DataType_INT8"; "" when not said */
    const char *channels;       /* "CHPos_First"; "" when not said */
    int64_t nbits, Qm, Qn;
    bool is_Qunsigned;
    int64_t ndims, mem_ndims;
    struct rp_aton_integers shape, mem_shape; /* items NULL: none */
    struct rp_aton_reals scale;
    struct rp_aton_integers offset; /* zero points */
};

enum rp_aton_epoch_kind {
    RP_ATON_EPOCH_OTHER,
    RP_ATON_EPOCH_HW,
    RP_ATON_EPOCH_SW,
    RP_ATON_EPOCH_HYBRID,
    RP_ATON_EPOCH_BLOB, /* whatever else it says */
    RP_ATON_EPOCH_INTERNAL
};

struct rp_aton_epoch {
    enum rp_aton_epoch_kind kind;
    unsigned line;
    const char *start_function; /* NULL: none */
    const char *end_function;
    const char *blob;                  /* name in .blob_address; NULL: none */
    int64_t epoch_num, last_epoch_num; /* -1: not said */
};

struct rp_aton {
    const char *path;
    const char *network; /* C name, from LL_ATON_EpochBlockItems_<name> */
    const char *git_description, *git_sha, *build_date; /* "" when not said */
    struct {
        struct rp_aton_option *items;
        size_t count, capacity;
    } options;
    const char *model_file; /* last component of --onnx-input, "" when not said */
    const char *mpool_file; /* of --load-mpool-file */
    struct rp_aton_version version;
    struct {
        struct rp_aton_pool *items;
        size_t count, capacity;
    } pools; /* in the order of the text */
    struct {
        struct rp_aton_buffer *items;
        size_t count, capacity;
    } buffers;                      /* of all tables, in the order of the text, end rows left out */
    size_t rows[RP_ATON_TABLES];    /* 0: the table is missing, empty or NULL */
    bool user_inputs, user_outputs; /* some are allocated by the application */
    struct {
        struct rp_aton_epoch *items;
        size_t count, capacity;
    } epochs;                     /* the end row left out */
    const char *blobs_header;     /* the <name>_ecblobs.h that is included, as it is written; NULL:
                                     none, and one within #if 0 is none */
    unsigned blobs_line;          /* of that #include */
    bool blobs_system;            /* in angle brackets */
    struct rp_strings functions;  /* LL_ATON_LIB_… that are called, sorted, each once */
    struct rp_strings sw_kernels; /* ll_sw_forward_…, the same */
};

/* The value of a compiler option; NULL when it was not given. */
const char *rp_aton_option(const struct rp_aton *aton, const char *key);
/* "input", "output", "internal". */
const char *rp_aton_table_name(enum rp_aton_table table);

#endif
