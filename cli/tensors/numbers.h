/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a file, as npy.c, csv.c and onnx_pb.c read them. */
#ifndef RP_CLI_TENSORS_NUMBERS_H
#define RP_CLI_TENSORS_NUMBERS_H

#include "toolchain/model.h"

enum { RP_NUMBERS_RANK_MAX = 16 };

struct rp_numbers {
    const struct rp_dtype *dtype;
    const uint8_t *data; /* little-endian, C order */
    uint64_t count;
    uint64_t shape[RP_NUMBERS_RANK_MAX]; /* text: lines, numbers a line */
    unsigned rank;
    const char *name;  /* that an ONNX tensor has, or "" */
    bool is_converted; /* each is stored as the tensor has it, whatever its own type is */
    bool is_text; /* int64 when all are whole and have no point or exponent, otherwise float64 */
};

#endif
