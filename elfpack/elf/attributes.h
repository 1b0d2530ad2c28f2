/* SPDX-License-Identifier: Apache-2.0 */
/* Build attributes of Arm objects (section .ARM.attributes), and lists of objects with them. */
#ifndef RP_ELFPACK_ELF_ATTRIBUTES_H
#define RP_ELFPACK_ELF_ATTRIBUTES_H

#include "elfpack/elf/elf.h"

/* Build attributes (Addenda to the ABI for the Arm Architecture); -1 = not stated. */
struct rp_attributes {
    int cpu_arch;    /* Tag_CPU_arch: 10 v7, 13 v7E-M, 17 v8-M.main, 21 v8.1-M.main … */
    int cpu_profile; /* Tag_CPU_arch_profile: 'M' … */
    int fp_arch;     /* Tag_FP_arch */
    int vfp_args;    /* Tag_ABI_VFP_args: 0 base, 1 VFP registers, 3 compatible with both */
    int enum_size;   /* Tag_ABI_enum_size: 1: as small as possible, 2: 32 bits */
    int wchar_size;  /* Tag_ABI_PCS_wchar_t: bytes */
    int fp16_format; /* Tag_ABI_FP_16bit_format: 1 IEEE 754, 2 alternative */
    int fp_numbers;  /* Tag_ABI_FP_number_model: 0 no floating point … */
    int r9_use;      /* Tag_ABI_PCS_R9_use: 0 ordinary, 1 static base, 2 thread-local data */
};

/* An object or a member of an archive, with its attributes. */
struct rp_abi_object {
    const char *shown; /* for messages */
    const char *path;
    const char *member; /* or NULL */
    struct rp_attributes attributes;
};

struct rp_abi_objects {
    struct rp_abi_object *items;
    size_t count;
    size_t capacity;
};

/* Reads .ARM.attributes; an attribute that is not stated is -1. */
struct rp_attributes rp_attributes_read(const struct rp_elf *elf);

#endif
