/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's orders to the harness (the plan, placed in memory) and the harness's answers
 * (result.bin; on a board the same bytes, through mailbox.h). Little-endian u32 words at the byte
 * offsets given here; no structs. Shared by host and firmware.
 */
#ifndef HARNESS_PLAN_H
#define HARNESS_PLAN_H

#include <stdint.h>

/* ======== plan ======== */

#define HARNESS_PLAN_MAGIC UINT32_C(0x4C505052) /* bytes "RPPL" */
enum { HARNESS_PLAN_VERSION = 3 };

enum harness_plan {
    PLAN_MAGIC = 0,
    PLAN_VERSION = 4,
    PLAN_BYTES = 8,         /* of the whole plan */
    PLAN_CLOCK_HZ = 12,     /* of SysTick on this board (boards.h) */
    PLAN_ICOUNT_SHIFT = 16, /* QEMU's -icount shift=N: an instruction is 1 << N ns; 6 or more */
    PLAN_PATTERN = 20,      /* fill word, written to memory beforehand (STEP_PATTERN) */
    PLAN_GUARD_BYTES = 24, /* on either side of a buffer; a multiple of 4, 0 to HARNESS_GUARD_MAX */
    PLAN_IO = 28,          /* area for the inputs and outputs of a run, a multiple of 32 */
    PLAN_IO_SIZE = 32,
    PLAN_STEP_COUNT = 36,
    PLAN_VARY_AREA = 40,  /* enum harness_guarded: the area that gets another word, 0: none */
    PLAN_VARY_SIDE = 44,  /* enum harness_side: which part of it, 0: all */
    PLAN_VARY_INDEX = 48, /* which input or output, HARNESS_ANY: all */
    PLAN_VARY_PATTERN = 52,
    PLAN_COUNTER = 56, /* enum harness_counter */
    PLAN_STEPS = 60    /* step_count times STEP_BYTES */
};
enum harness_counter {
    COUNTER_INSTRUCTIONS = 0, /* of an emulated core, by CLOCK_HZ and ICOUNT_SHIFT */
    COUNTER_CYCLES = 1,       /* of the core's clock */
    COUNTER_NONE = 2          /* nothing is measured: all counts are 0 */
};
enum { HARNESS_GUARD_MAX = 4096, HARNESS_IO_ALIGN = 32, HARNESS_INSTANCES = 4 };
#define HARNESS_ANY UINT32_C(0xFFFFFFFF)

enum harness_step_field {
    STEP_KIND = 0,        /* enum harness_step_kind */
    STEP_INSTANCE = 4,    /* 0 to HARNESS_INSTANCES - 1; a static build has 0 only */
    STEP_FLAGS = 8,       /* enum harness_step_flag */
    STEP_IMAGE = 12,      /* CHECK, LOAD: address of the image; ignored by a static build */
    STEP_IMAGE_SIZE = 16, /* bytes of the file */
    STEP_RAM = 20,        /* LOAD: instance RAM, exactly what the loader is given; FILL, SUM: what;
                             OBSERVE: memory for the nodes' figures, 8-aligned, or none */
    STEP_RAM_SIZE = 24,
    STEP_WEIGHTS = 28,      /* CHECK, INIT (Neural-ART: LOAD): weights; 0: they are in the image */
    STEP_WEIGHTS_SIZE = 32, /* bytes of the file; 0 with STEP_WEIGHTS 0 */
    STEP_ACTS = 36,         /* INIT (Neural-ART: LOAD): activations; 0: NULL goes to the model */
    STEP_ACTS_SIZE = 40,
    STEP_INPUT = 44,      /* RUN: all inputs one after the other, unpadded; 0: seeded */
    STEP_INPUT_SIZE = 48, /* RUN: their bytes together */
    STEP_SEED = 52,       /* RUN with STEP_INPUT 0 */
    STEP_PATTERN = 56,    /* LOAD, INIT, RUN: their fill word; 0: the plan's word */
    STEP_RESERVED = 60,   /* 0 */
    STEP_BYTES = 64
};

/*
 * Memory outside a model's buffers must not change its outputs. So everything is filled before it
 * is used: LOAD fills the instance's RAM and the memory around it and around the image; INIT the
 * activations and the memory around them and around the weights; RUN the outputs and the memory
 * around inputs and outputs; every measured call the stack below it; FILL the rest of the memory.
 * Outputs are filled with the complement of the word, so that bytes which a model has not written
 * cannot be taken for a copy of the memory around them. The memory around image and weights, which
 * instances share, is always filled with the plan's word.
 *
 * A step on an instance that does not exist (its LOAD failed) is skipped, and so is everything but
 * DESTROY on one whose INIT failed. DESTROY ends an instance; a LOAD at the same place may follow.
 */
enum harness_step_kind {
    STEP_CHECK = 1,     /* the loader's check of the whole image file, weights file and trailer */
    STEP_LOAD_XIP = 2,  /* fills RAM with the pattern, then installs and creates */
    STEP_LOAD_COPY = 3, /* a static build: create */
    STEP_INIT = 4,      /* fills the activations with the pattern, then init_v2 */
    STEP_REPORT = 5,    /* MODEL and TENSOR records */
    STEP_RUN = 6,       /* OUTPUT records */
    STEP_OBSERVE = 7,   /* registers a call-back for all events, which measures the nodes */
    STEP_UNOBSERVE = 8, /* NODE records of all runs since OBSERVE */
    STEP_DESTROY = 9,
    STEP_FILL = 10, /* fills unused memory */
    STEP_SUM = 11,  /* the value is the CRC-32 (zlib's) of the memory from STEP_RAM */
    STEP_HOOKS = 12 /* notes calls of functions in STEP_RAM; without that, ends: FRAME records */
};

enum harness_step_flag {
    STEP_FLAG_RECORD_INPUTS = 1, /* RUN: INPUT records too */
    STEP_FLAG_MUST_FAIL = 2,     /* the status is EXPECTED if the call fails, NOT_REFUSED if not */
    STEP_FLAG_NO_IMPORTS = 4     /* LOAD: the image imports nothing, whatever the firmware offers */
};

/*
 * Seeded inputs. One generator runs through all inputs in order, one step per element:
 *   state = seed == 0 ? 0x9E3779B9 : seed
 *   state ^= state << 13; state ^= state >> 17; state ^= state << 5     (xorshift32)
 * float32: ((int32)(state >> 8) - 0x800000) / 0x800000, in [-1, 1), exact; bool: state >> 31;
 * n-bit integers: the upper n bits of state. Other formats and sub-byte ones: one step per byte,
 * the upper 8 bits.
 */

/* ======== result.bin ======== */

/* A sequence of records: two words {type, payload bytes}, the payload, zeros to a multiple of 4. */
#define HARNESS_RESULT_MAGIC UINT32_C(0x53525052) /* bytes "RPRS" */
enum { HARNESS_RESULT_VERSION = 2 };

enum harness_record {
    RECORD_HEADER = 1,
    RECORD_STEP = 2, /* one for each step of the plan, after the step's other records */
    RECORD_MODEL = 3,
    RECORD_TENSOR = 4,
    RECORD_INPUT = 5,
    RECORD_OUTPUT = 6,
    RECORD_FAULT = 7, /* nothing follows it */
    RECORD_END = 8,   /* the plan was carried out */
    RECORD_NODE = 9,  /* in the order in which nodes were first executed */
    RECORD_FRAME = 10 /* a function as called from another one */
};
enum { RECORD_TYPE = 0, RECORD_PAYLOAD_BYTES = 4, RECORD_PAYLOAD = 8 };

enum harness_result_header {
    RESULT_MAGIC = 0,
    RESULT_VERSION = 4,
    RESULT_BACKEND = 8,   /* enum harness_backend_kind */
    RESULT_CPUID = 12,    /* the core's CPUID register */
    RESULT_OVERHEAD = 16, /* what a measurement counts by itself; already taken off all counts */
    RESULT_HEADER_BYTES = 20
};
enum harness_backend_kind { BACKEND_STATIC = 1, BACKEND_LOADER = 2 };

enum harness_result_step {
    RESULT_STEP_INDEX = 0,
    RESULT_STEP_KIND = 4,
    RESULT_STEP_INSTANCE = 8,
    RESULT_STEP_STATUS = 12,    /* enum harness_status */
    RESULT_STEP_CODE = 16,      /* int32: the loader's code (reloc_errors.def), 0 if none */
    RESULT_STEP_ERROR = 20,     /* ai_error: type in bits 7..0, code in bits 31..8 */
    RESULT_STEP_VALUE = 24,     /* what the call returned, as int32: batches, true or false */
    RESULT_STEP_COUNT_LOW = 28, /* instructions or cycles of the call */
    RESULT_STEP_COUNT_HIGH = 32,
    RESULT_STEP_STACK = 36, /* bytes of stack used by the call; one of over 10 million instructions
                               may have the frame of the counter's interrupt in it */
    RESULT_STEP_RAM_HIGH = 40,  /* highest byte of instance RAM not the pattern, plus 1, in words */
    RESULT_STEP_ACTS_HIGH = 44, /* the same of the activations */
    RESULT_STEP_WHERE = 48,     /* GUARD, CHANGED: lowest address written */
    RESULT_STEP_AREA = 52,      /* GUARD, CHANGED: enum harness_guarded */
    RESULT_STEP_REGISTERS = 56, /* bits 4 to 11: that one of r4 to r11 was not preserved */
    RESULT_STEP_EVENTS = 60,    /* observer call-backs during the call */
    RESULT_STEP_PATTERN = 64,   /* the step's fill word */
    RESULT_STEP_HEAP = 68,      /* static build: most bytes in use of the memory of --heap */
    RESULT_STEP_BYTES = 72
};

/* X(name, value, text). If several apply, the first one found is reported. */
#define HARNESS_STATUS(X)                                                                          \
    X(OK, 0, "done")                                                                               \
    X(API, 1, "the call failed")                                                                   \
    X(REGISTERS, 2, "the call did not preserve r4 to r11")                                         \
    X(GUARD, 3, "the call wrote outside the memory it was given")                                  \
    X(CHANGED, 4, "the image or the weights were written")                                         \
    X(SKIPPED, 5, "skipped: an earlier step of this instance failed")                              \
    X(STEP, 6, "the plan asks for something that this build cannot do")                            \
    X(INPUT_SIZE, 7, "the input file does not have the size of the model's inputs")                \
    X(IO_SIZE, 8, "the inputs and outputs do not fit in the area for them")                        \
    X(TENSORS, 9, "the model has too many inputs or outputs")                                      \
    X(REPORT, 10, "the model's report has no usable inputs or outputs")                            \
    X(EXPECTED, 11, "refused, as it must be")                                                      \
    X(NOT_REFUSED, 12, "the call succeeded and must not")                                          \
    X(NODES, 13, "the model has more nodes than the memory for their figures holds")               \
    X(STACK, 14, "the stack is too small")                                                         \
    X(FRAMES, 15, "the model has more calls than the memory for their figures holds")

enum harness_status {
#define X(name, value, text) STATUS_##name = value,
    HARNESS_STATUS(X)
#undef X
};

enum harness_guarded {
    GUARDED_NONE = 0,
    GUARDED_RAM = 1,
    GUARDED_ACTS = 2,
    GUARDED_INPUT = 3,
    GUARDED_OUTPUT = 4,
    GUARDED_IMAGE = 5,
    GUARDED_WEIGHTS = 6,
    GUARDED_STACK = 7,  /* below the caller; only filled */
    GUARDED_UNUSED = 8, /* by FILL; only filled */
    GUARDED_KINDS = 9
};

/* Parts of the memory that is filled for a buffer. */
enum harness_side { SIDE_BEFORE = 1, SIDE_INSIDE = 2, SIDE_BEHIND = 3 };

/* MODEL: fixed words, then the model's name, not terminated. */
enum harness_result_model {
    RESULT_MODEL_STEP = 0,
    RESULT_MODEL_INPUTS = 4,
    RESULT_MODEL_OUTPUTS = 8,
    RESULT_MODEL_NODES = 12,
    RESULT_MODEL_SIGNATURE = 16,
    RESULT_MODEL_RUNTIME_VERSION = 20, /* bytes major, minor, micro, reserved */
    RESULT_MODEL_TOOL_VERSION = 24,
    RESULT_MODEL_MACC_LOW = 28,
    RESULT_MODEL_MACC_HIGH = 32,
    RESULT_MODEL_NAME = 36
};

/* TENSOR: fixed words, then dims words, then for each of scales {float32 bits, int32 zero point}.
 */
enum harness_result_tensor {
    RESULT_TENSOR_STEP = 0,
    RESULT_TENSOR_IS_OUTPUT = 4, /* 0 or 1 */
    RESULT_TENSOR_INDEX = 8,
    RESULT_TENSOR_FORMAT = 12, /* ai_buffer_format */
    RESULT_TENSOR_ELEMENTS = 16,
    RESULT_TENSOR_DATA_BYTES = 20,
    RESULT_TENSOR_DATA = 24, /* address inside the activations, or 0 */
    RESULT_TENSOR_DIMS = 28,
    RESULT_TENSOR_SCALES = 32,
    RESULT_TENSOR_TAIL = 36
};

/* INPUT, OUTPUT: two words, then the bytes. */
enum harness_result_data { RESULT_DATA_STEP = 0, RESULT_DATA_INDEX = 4, RESULT_DATA_BYTES = 8 };

/*
 * NODE: sums over all runs of a node. Call-backs before and after a node give one time; those of
 * Neural-ART epochs three: until the epoch is started, until it is done, until it is ended.
 */
enum { HARNESS_NODE_TIMES = 3, HARNESS_NODE_ROOM = 72 /* bytes that OBSERVE needs for each */ };
enum harness_result_node {
    RESULT_NODE_INDEX = 0,
    RESULT_NODE_TYPE = 4, /* the run-time's number; Neural-ART: the epoch's flags */
    RESULT_NODE_ID = 8,   /* of the layer; Neural-ART: first epoch, last epoch << 16, or ANY */
    RESULT_NODE_RUNS = 12,
    RESULT_NODE_IN = 16, /* bytes of the tensors that it reads, or HARNESS_ANY: not known */
    RESULT_NODE_OUT = 20,
    RESULT_NODE_WEIGHTS = 24,
    RESULT_NODE_SCRATCH = 28,
    RESULT_NODE_WEIGHTS_AT = 32, /* address of the first of its weights, or 0 */
    RESULT_NODE_OVERHEAD = 36,   /* of two call-backs, already taken off all times */
    RESULT_NODE_TIMES = 40,      /* each a low and a high word */
    RESULT_NODE_BYTES = 64
};

/* FRAME: frames are numbered from 1; the parent 0 is outside of the model's functions. */
enum { HARNESS_FRAME_ROOM = 40 /* bytes that HOOKS needs for each, and for one more */ };
enum harness_result_frame {
    RESULT_FRAME_INDEX = 0,
    RESULT_FRAME_PARENT = 4,
    RESULT_FRAME_FUNCTION = 8, /* address, with the Thumb bit */
    RESULT_FRAME_CALLS = 12,
    RESULT_FRAME_TIME = 16,   /* with what it calls and with the hooks; a low and a high word */
    RESULT_FRAME_PAIR = 24,   /* what the hooks of one call take, */
    RESULT_FRAME_INSIDE = 28, /* and how much of that is in the function's own time */
    RESULT_FRAME_BYTES = 32
};

/* FAULT: words in this order. X(name, label) */
#define HARNESS_FAULT_WORDS(X)                                                                     \
    X(STEP, "step       ")                                                                         \
    X(CFSR, "cfsr       ")                                                                         \
    X(HFSR, "hfsr       ")                                                                         \
    X(MMFAR, "mmfar      ")                                                                        \
    X(BFAR, "bfar       ")                                                                         \
    X(EXC_RETURN, "exc_return ")                                                                   \
    X(SP, "sp         ")                                                                           \
    X(R4, "r4         ")                                                                           \
    X(R5, "r5         ")                                                                           \
    X(R6, "r6         ")                                                                           \
    X(R7, "r7         ")                                                                           \
    X(R8, "r8         ")                                                                           \
    X(R9, "r9         ")                                                                           \
    X(R10, "r10        ")                                                                          \
    X(R11, "r11        ")                                                                          \
    X(HAS_FRAME, "has frame  ")                                                                    \
    X(R0, "r0         ")                                                                           \
    X(R1, "r1         ")                                                                           \
    X(R2, "r2         ")                                                                           \
    X(R3, "r3         ")                                                                           \
    X(R12, "r12        ")                                                                          \
    X(LR, "lr         ")                                                                           \
    X(PC, "pc         ")                                                                           \
    X(XPSR, "xpsr       ")

/* Indices of the words; FAULT_STEP is HARNESS_NO_STEP outside a step. */
enum harness_fault_word {
#define X(name, label) FAULT_##name,
    HARNESS_FAULT_WORDS(X)
#undef X
        FAULT_WORDS
};
#define HARNESS_NO_STEP UINT32_C(0xFFFFFFFF)

enum harness_result_end { RESULT_END_STEPS = 0, RESULT_END_FAILED = 4, RESULT_END_BYTES = 8 };

/* Exit status of the emulator. QEMU itself uses 1 for wrong options. */
enum harness_exit {
    HARNESS_EXIT_OK = 0,
    HARNESS_EXIT_STEP = 16,   /* a step failed: see result.bin */
    HARNESS_EXIT_PLAN = 17,   /* no usable plan */
    HARNESS_EXIT_FILE = 18,   /* result.bin could not be written */
    HARNESS_EXIT_FAULT = 19,  /* the core faulted: registers printed, FAULT record */
    HARNESS_EXIT_COUNTER = 20 /* the instruction counter does not count: no -icount? */
};
#define HARNESS_EXIT_NONE UINT32_C(0xFFFFFFFF) /* no plan has been carried out yet */

#endif
