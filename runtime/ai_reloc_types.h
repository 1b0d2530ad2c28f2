/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types and macros of the embedded-AI client API that ai_reloc_network.h uses: the vendor's own
 * when ai_platform.h and ai_platform_interface.h are on the include path or were included before,
 * else declarations made here from the documented layouts (32-bit Arm, AAPCS), asserted at the end.
 * AI_RELOC_OWN_TYPES, when defined, keeps the vendor's headers out.
 */
#ifndef AI_RELOC_TYPES_H
#define AI_RELOC_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(AI_RELOC_OWN_TYPES) && defined(__has_include)
#if __has_include("ai_platform.h") && __has_include("ai_platform_interface.h")
#define AI_RELOC_VENDOR_TYPES 1
#endif
#endif

#if defined(AI_RELOC_VENDOR_TYPES) || defined(AI_PLATFORM_H)

#include "ai_platform.h"
#include "ai_platform_interface.h"

#else

/*
 * Layout of ai_network_report: 1 = 136 bytes with a 64-bit n_macc (runtime 8.1 and later), 0 = 124
 * bytes (through 8.0). The loader converts what an image reports into the one chosen here.
 */
#ifndef AI_RELOC_REPORT_MACC64
#define AI_RELOC_REPORT_MACC64 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scalars ---- */
typedef void *ai_handle;
typedef const void *ai_handle_const;
typedef bool ai_bool;
typedef char ai_char;
typedef float ai_float;
typedef double ai_double;
typedef int8_t ai_i8;
typedef int16_t ai_i16;
typedef int32_t ai_i32;
typedef int64_t ai_i64;
typedef uint8_t ai_u8;
typedef uint16_t ai_u16;
typedef uint32_t ai_u32;
typedef uint64_t ai_u64;
typedef int ai_int;
typedef unsigned int ai_uint;
typedef uint32_t ai_size;
typedef uintptr_t ai_uptr;
typedef uint32_t ai_flags;
typedef uint32_t ai_signature;
typedef uint32_t ai_shape_dimension;
typedef int32_t ai_buffer_format;

#define ai_false false
#define ai_true  true

/*
 * What C casts, without a warning of -Wold-style-cast. T(value) casts as C does, from pointers and
 * integers, but T has to be one word.
 */
#ifdef __cplusplus
#define AI_RELOC_CAST(type, value) static_cast<type>(value)
#define AI_RELOC_RECAST(T, value)  T(value)
#else
#define AI_RELOC_CAST(type, value) ((type)(value))
#define AI_RELOC_RECAST(T, value)  ((T)(value))
#endif
#define AI_HANDLE_PTR(pointer) AI_RELOC_RECAST(ai_handle, pointer)
#define AI_HANDLE_NULL         AI_HANDLE_PTR(NULL)
#define AI_MAGIC_SIGNATURE     0xA1FACADEu /* map_signature of ai_network_params */

/* ---- errors ---- */
enum ai_error_type_e {
    AI_ERROR_NONE = 0x00,
    AI_ERROR_TOOL_PLATFORM_API_MISMATCH = 0x01,
    AI_ERROR_TYPES_MISMATCH = 0x02,
    AI_ERROR_INVALID_HANDLE = 0x10,
    AI_ERROR_INVALID_STATE = 0x11,
    AI_ERROR_INVALID_INPUT = 0x12,
    AI_ERROR_INVALID_OUTPUT = 0x13,
    AI_ERROR_INVALID_PARAM = 0x14,
    AI_ERROR_INVALID_SIGNATURE = 0x15,
    AI_ERROR_INVALID_SIZE = 0x16,
    AI_ERROR_INVALID_VALUE = 0x17,
    AI_ERROR_INIT_FAILED = 0x30,
    AI_ERROR_ALLOCATION_FAILED = 0x31,
    AI_ERROR_DEALLOCATION_FAILED = 0x32,
    AI_ERROR_CREATE_FAILED = 0x33
};
typedef enum ai_error_type_e ai_error_type;

enum ai_error_code_e {
    AI_ERROR_CODE_NONE = 0x00,
    AI_ERROR_CODE_NETWORK = 0x10,
    AI_ERROR_CODE_NETWORK_PARAMS = 0x11,
    AI_ERROR_CODE_NETWORK_WEIGHTS = 0x12,
    AI_ERROR_CODE_NETWORK_ACTIVATIONS = 0x13,
    AI_ERROR_CODE_LAYER = 0x14,
    AI_ERROR_CODE_TENSOR = 0x15,
    AI_ERROR_CODE_ARRAY = 0x16,
    AI_ERROR_CODE_INVALID_PTR = 0x17,
    AI_ERROR_CODE_INVALID_SIZE = 0x18,
    AI_ERROR_CODE_INVALID_FORMAT = 0x19,
    AI_ERROR_CODE_OUT_OF_RANGE = 0x20,
    AI_ERROR_CODE_INVALID_BATCH = 0x21,
    AI_ERROR_CODE_MISSED_INIT = 0x30,
    AI_ERROR_CODE_IN_USE = 0x40,
    AI_ERROR_CODE_LOCK = 0x41
};
typedef enum ai_error_code_e ai_error_code;

/* Returned by value, packed in one register: type in bits 7..0, code in bits 31..8. */
typedef struct ai_error_s {
    ai_u32 type : 8;  /* ai_error_type */
    ai_u32 code : 24; /* ai_error_code */
} ai_error;

/* ---- buffers ---- */
typedef struct ai_intq_info_s {
    const ai_float *scale;
    const void *zeropoint; /* ai_i8 or ai_u8, as the flags of ai_buffer_meta_info say */
} ai_intq_info;

typedef struct ai_intq_info_list_s {
    ai_u16 flags;
    ai_u16 size;
    const ai_intq_info *info;
} ai_intq_info_list;

#define AI_BUFFER_META_HAS_INTQ_INFO     (1u << 0)
#define AI_BUFFER_META_FLAG_SCALE_FLOAT  (1u << 0)
#define AI_BUFFER_META_FLAG_ZEROPOINT_U8 (1u << 1)
#define AI_BUFFER_META_FLAG_ZEROPOINT_S8 (1u << 2)

typedef struct ai_buffer_meta_info_s {
    ai_u32 flags;
    ai_intq_info_list *intq_info;
} ai_buffer_meta_info;

typedef struct ai_buffer_shape_s {
    ai_u32 type : 8;
    ai_u32 size : 24; /* number of dimensions */
    ai_shape_dimension *data;
} ai_buffer_shape;

typedef struct ai_buffer_s {
    ai_buffer_format format;
    ai_handle data;
    ai_buffer_meta_info *meta_info;
    ai_flags flags;
    ai_size size; /* elements */
    ai_buffer_shape shape;
} ai_buffer;

typedef struct ai_buffer_array_s {
    ai_u16 flags;
    ai_u16 size;
    ai_buffer *buffer;
} ai_buffer_array;

/* Dimensions of a shape: positions in ai_buffer_shape.data. */
#define AI_SHAPE_BATCH                   0x0
#define AI_SHAPE_IN_CHANNEL              0x0
#define AI_SHAPE_CHANNEL                 0x1
#define AI_SHAPE_WIDTH                   0x2
#define AI_SHAPE_HEIGHT                  0x3
#define AI_SHAPE_DEPTH                   0x4
#define AI_SHAPE_EXTENSION               0x5

/* Fields of ai_buffer_format: float bit 24, sign bit 23, type 20..17, bits 13..7, fraction 6..0. */
#define AI_BUFFER_FMT_TYPE_NONE          0x0
#define AI_BUFFER_FMT_TYPE_FLOAT         0x1
#define AI_BUFFER_FMT_TYPE_Q             0x2
#define AI_BUFFER_FMT_TYPE_BOOL          0x3
/* Formats of whole elements. Runtimes before 10.0 have bit 24 set as well in their float. */
#define AI_BUFFER_FORMAT_NONE            0x00000040
#define AI_BUFFER_FORMAT_FLOAT           0x00821040
#define AI_BUFFER_FORMAT_U8              0x00040440
#define AI_BUFFER_FORMAT_U16             0x00040840
#define AI_BUFFER_FORMAT_U32             0x00041040
#define AI_BUFFER_FORMAT_S8              0x00840440
#define AI_BUFFER_FORMAT_S16             0x00840840
#define AI_BUFFER_FORMAT_S32             0x00841040
#define AI_BUFFER_FORMAT_BOOL            0x00060440
#define AI_BUFFER_FMT_GET_FLOAT(fmt)     ((AI_RELOC_CAST(ai_u32, fmt) >> 24) & 0x1u)
#define AI_BUFFER_FMT_GET_SIGN(fmt)      ((AI_RELOC_CAST(ai_u32, fmt) >> 23) & 0x1u)
#define AI_BUFFER_FMT_GET_TYPE(fmt)      ((AI_RELOC_CAST(ai_u32, fmt) >> 17) & 0xFu)
#define AI_BUFFER_FMT_GET_BITS(fmt)      ((AI_RELOC_CAST(ai_u32, fmt) >> 7) & 0x7Fu)
#define AI_BUFFER_FMT_GET_FBITS(fmt)                                                               \
    (AI_RELOC_CAST(ai_i32, AI_RELOC_CAST(ai_u32, fmt) & 0x7Fu) - 64)
#define AI_BUFFER_FORMAT(buffer)               ((buffer)->format & 0x01FFFFFF)
#define AI_BUFFER_SIZE(buffer)                 ((buffer)->size)
#define AI_BUFFER_DATA(buffer, type)           AI_RELOC_CAST(type *, (buffer)->data)
#define AI_BUFFER_META_INFO(buffer)            ((buffer)->meta_info)
#define AI_BUFFER_SHAPE_SIZE(buffer)           ((buffer)->shape.size)
#define AI_BUFFER_SHAPE_ELEM(buffer, position) ((buffer)->shape.data[position])
#define AI_BUFFER_N_BATCHES(buffer)            AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_BATCH)
#define AI_BUFFER_CHANNELS(buffer)             AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_CHANNEL)
#define AI_BUFFER_WIDTH(buffer)                AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_WIDTH)
#define AI_BUFFER_HEIGHT(buffer)               AI_BUFFER_SHAPE_ELEM(buffer, AI_SHAPE_HEIGHT)

/* ---- parameters and report ---- */

/* Two views of the same 56 bytes, reached by their plain names as in the vendor's headers. */
#define AI_RELOC_PARAMS_FIELDS                                                                     \
    union {                                                                                        \
        struct {                                                                                   \
            ai_buffer params;                                                                      \
            ai_buffer activations;                                                                 \
        };                                                                                         \
        struct {                                                                                   \
            ai_signature map_signature;                                                            \
            ai_buffer_array map_weights;                                                           \
            ai_buffer_array map_activations;                                                       \
        };                                                                                         \
    }

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* anonymous structs are C11, and an extension of C++  \
                                             */
#endif

typedef struct ai_network_params_s {
    AI_RELOC_PARAMS_FIELDS;
} ai_network_params;

typedef struct ai_platform_version_s {
    ai_u8 major;
    ai_u8 minor;
    ai_u8 micro;
    ai_u8 reserved;
} ai_platform_version;

typedef struct ai_network_report_s {
    const char *model_name;
    const char *model_signature;
    const char *model_datetime;
    const char *compile_datetime;
    const char *runtime_revision;
    ai_platform_version runtime_version;
    const char *tool_revision;
    ai_platform_version tool_version;
    ai_platform_version tool_api_version;
    ai_platform_version api_version;
    ai_platform_version interface_api_version;
#if AI_RELOC_REPORT_MACC64
    ai_u64 n_macc;
#else
    ai_u32 n_macc;
#endif
    ai_u16 n_inputs;
    ai_u16 n_outputs;
    ai_buffer *inputs;
    ai_buffer *outputs;
    AI_RELOC_PARAMS_FIELDS;
    ai_u32 n_nodes;
    ai_signature signature;
} ai_network_report;

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* ---- tensors and observer ---- */
typedef uint8_t *ai_ptr;
typedef int32_t ai_array_format;
typedef uint32_t ai_array_size;
typedef void *ai_klass_obj;

typedef struct ai_storage_klass_s {
    ai_u32 type : 8;
    ai_u32 size : 24;
    ai_handle data;
} ai_storage_klass;
typedef ai_storage_klass ai_shape;
typedef ai_storage_klass ai_stride;

typedef struct ai_array_s {
    ai_array_format format;
    ai_array_size size; /* elements */
    ai_ptr data;
    ai_ptr data_start;
} ai_array;

typedef struct ai_tensor_info_s {
    ai_u16 id;
    ai_u8 flags;
    ai_u8 data_size;
} ai_tensor_info;

typedef struct ai_tensor_s {
    ai_klass_obj klass; /* ai_intq_info_list of an integer tensor, or NULL */
    ai_tensor_info info;
    ai_shape shape;
    ai_stride stride;
    ai_array *data;
} ai_tensor;

typedef struct ai_tensor_list_s {
    ai_u16 size;
    ai_u16 flags;
    ai_tensor **tensor;
    void *info;
} ai_tensor_list;

typedef struct ai_tensor_chain_s {
    ai_u16 size;
    ai_u16 flags;
    ai_tensor_list *chain; /* inputs, outputs, weights, scratch */
} ai_tensor_chain;

typedef struct ai_observer_node_s {
    ai_u16 c_idx; /* position in the execution list */
    ai_u16 type;
    ai_u16 id; /* of the layer of the original model */
    ai_u16 unused;
    const ai_tensor_chain *inner_tensors;
    const ai_tensor_chain *tensors;
} ai_observer_node;

#define AI_OBSERVER_NONE_EVT   0
#define AI_OBSERVER_INIT_EVT   (1 << 0)
#define AI_OBSERVER_PRE_EVT    (1 << 1)
#define AI_OBSERVER_POST_EVT   (1 << 2)
#define AI_OBSERVER_FIRST_EVT  (1 << 8)
#define AI_OBSERVER_LAST_EVT   (1 << 9)
#define AI_OBSERVER_REGISTERED (1 << 24)
#define AI_OBSERVER_MASK_EVT   0xFF

typedef ai_u32 (*ai_observer_node_cb)(const ai_handle cookie, const ai_u32 flags,
                                      const ai_observer_node *node);

struct ai_node_s;

typedef struct ai_observer_exec_ctx_s {
    ai_observer_node_cb on_node;
    ai_handle cookie;
    ai_u32 flags;
    ai_u16 c_idx;
    ai_u16 n_nodes;
    struct ai_node_s *cur;
} ai_observer_exec_ctx;

#ifdef __cplusplus
}
#endif

/* The layouts that images are built for (only where pointers have 32 bits). */
#if UINTPTR_MAX == UINT32_MAX && !defined(__CC_ARM)
#ifdef __cplusplus
#define AI_RELOC_ASSERT(condition, text) static_assert(condition, text)
#else
#define AI_RELOC_ASSERT(condition, text) _Static_assert(condition, text)
#endif
AI_RELOC_ASSERT(sizeof(ai_error) == 4, "ai_error is returned in r0");
AI_RELOC_ASSERT(sizeof(ai_buffer) == 28 && offsetof(ai_buffer, shape) == 20, "ai_buffer");
AI_RELOC_ASSERT(sizeof(ai_buffer_array) == 8 && sizeof(ai_buffer_meta_info) == 8, "buffer arrays");
AI_RELOC_ASSERT(sizeof(ai_network_params) == 56, "ai_network_params");
AI_RELOC_ASSERT(sizeof(ai_tensor) == 28 && sizeof(ai_array) == 16, "ai_tensor");
AI_RELOC_ASSERT(sizeof(ai_observer_node) == 16 && sizeof(ai_observer_exec_ctx) == 20, "observer");
AI_RELOC_ASSERT(sizeof(ai_network_report) == (AI_RELOC_REPORT_MACC64 ? 136 : 124), "report");
#undef AI_RELOC_ASSERT
#endif

#endif /* own types */

/* In front of a definition: its alignment in bytes. Both spellings occur in firmware. */
#if !defined(AI_ALIGNED) && defined(__ICCARM__)
#define AI_RELOC_PRAGMA(text) _Pragma(#text)
#define AI_ALIGNED(bytes)     AI_RELOC_PRAGMA(data_alignment = bytes)
#elif !defined(AI_ALIGNED)
#define AI_ALIGNED(bytes) __attribute__((aligned(bytes)))
#endif
#ifndef AI_ALIGN
#define AI_ALIGN(bytes) AI_ALIGNED(bytes)
#endif

#endif
