/* SPDX-License-Identifier: Apache-2.0 */
/* Data types and tensor sizes: see model.h. */
#include "toolchain/model.h"

#include <string.h>

static const struct rp_dtype dtypes[] = {
    {"float32", "float", 4, true, true},  {"float64", "double", 8, true, true},
    {"int8", "int8_t", 1, false, true},   {"uint8", "uint8_t", 1, false, false},
    {"int16", "int16_t", 2, false, true}, {"uint16", "uint16_t", 2, false, false},
    {"int32", "int32_t", 4, false, true}, {"uint32", "uint32_t", 4, false, false},
    {"int64", "int64_t", 8, false, true}, {"uint64", "uint64_t", 8, false, false},
    {"bool", "_Bool", 1, false, false},
};

/* Other spellings: ARM's char is unsigned, int and long have 32 bits. */
static const struct {
    const char *spelling;
    const char *name;
} spellings[] = {
    {"float", "float32"},
    {"double", "float64"},
    {"bool", "bool"},
    {"char", "uint8"},
    {"signed char", "int8"},
    {"unsigned char", "uint8"},
    {"short", "int16"},
    {"signed short", "int16"},
    {"short int", "int16"},
    {"unsigned short", "uint16"},
    {"short unsigned int", "uint16"},
    {"int", "int32"},
    {"signed", "int32"},
    {"signed int", "int32"},
    {"unsigned", "uint32"},
    {"unsigned int", "uint32"},
    {"long", "int32"},
    {"long int", "int32"},
    {"signed long", "int32"},
    {"unsigned long", "uint32"},
    {"long unsigned int", "uint32"},
    {"long long", "int64"},
    {"long long int", "int64"},
    {"unsigned long long", "uint64"},
    {"long long unsigned int", "uint64"},
    {"signed short int", "int16"},
    {"unsigned short int", "uint16"},
    {"short unsigned", "uint16"},
    {"signed long int", "int32"},
    {"unsigned long int", "uint32"},
    {"long unsigned", "uint32"},
    {"signed long long", "int64"},
    {"signed long long int", "int64"},
    {"long long unsigned", "uint64"},
    {"unsigned long long int", "uint64"},
};

const struct rp_dtype *rp_dtype_find(const char *name) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(name, spellings[i].spelling) == 0)
            name = spellings[i].name;
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        if (strcmp(name, dtypes[i].name) == 0 || strcmp(name, dtypes[i].c_type) == 0)
            return &dtypes[i];
    return NULL;
}

uint64_t rp_tensor_elements(const struct rp_tensor *tensor) {
    uint64_t count = 1;
    for (unsigned i = 0; i < tensor->rank; i++)
        count *= tensor->shape[i];
    return count;
}

uint64_t rp_tensor_bytes(const struct rp_tensor *tensor) {
    return rp_tensor_elements(tensor) * tensor->dtype->size_bytes;
}
