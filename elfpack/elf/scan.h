/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks into objects and archives before they are linked: large constants and zero-initialised
 * arrays that get a part of their own, symbols wanted and defined, build attributes, and code that
 * is not position-independent.
 */
#ifndef RP_ELFPACK_ELF_SCAN_H
#define RP_ELFPACK_ELF_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/core.h"
#include "base/error.h"
#include "elfpack/elf/attributes.h"
#include "elfpack/elf/authored.h"
#include "elfpack/elf/elf.h"
#include "elfpack/elf/reloc.h"

/* An input section that goes to the weights or the activations. */
struct rp_large {
    const char *object;  /* path as the linker will see it */
    const char *section; /* ".rodata.w1" */
    uint32_t size;
    uint32_t align;
    bool zero;                /* activations */
    bool variable;            /* neither: it has initial values and can be written to */
    struct rp_strings arrays; /* what it holds: an author may have put several in one section */
    uint64_t array_bytes;     /* without what lies between them */
};

/* A culprit before the link: code or constants in an object that no loader could move. */
struct rp_object_culprit {
    const char *object;
    const char *member; /* or NULL */
    const char *section;
    const char *symbol; /* function or object that holds the word, or "" */
    const char *type;   /* "R_ARM_ABS32" */
    const char *target;
    uint32_t count; /* relocations of that kind in that section */
};

struct rp_scan {
    struct {
        struct rp_large *items;
        size_t count;
        size_t capacity;
    } large;
    struct {
        struct rp_object_culprit *items;
        size_t count;
        size_t capacity;
    } culprits;
    struct rp_strings filled;    /* sections that are named like zeros and hold something else */
    struct rp_authored authored; /* sections whose names mean nothing in an image */
    struct rp_strings wanted;    /* undefined symbols, with repetitions */
    struct rp_strings defined;   /* global symbols that a plain object or, with options.culprits, a
                                    position-independent archive member defines */
    size_t got_uses;             /* with options.culprits: relocations that lead to the GOT */
    struct rp_strings imported;  /* those of options.imports that an object refers to, */
    struct rp_strings called;    /* and those that a branch leads to */
    struct rp_strings
        unwinder;   /* names __aeabi_unwind_cpp_pr* that more than unwinding tables refer to */
    size_t members; /* number of ELF files */
    struct rp_abi_objects objects; /* all of them */
};

struct rp_scan_options {
    const char *shown;          /* name of the file in messages; NULL = its path */
    uint32_t weights_threshold; /* constants of at least that many bytes are weights; 0 = never */
    uint32_t acts_threshold;    /* zero-initialised arrays likewise */
    bool large;                 /* look for large constants and arrays */
    bool variables;             /* look for arrays with initial values, too, of any size */
    const char *constants;      /* sections of that name are constants, whatever their flags and
                                   size; or NULL */
    bool culprits;              /* collect what is not position-independent */
    bool constructors_ok;       /* do not refuse .init_array and TLS */
    bool members_later;         /* nor those of archive members, which may not be used:
                                   elfpack/elf/startup.h         checks them after the link */
    const struct rp_strings *imports; /* names to look for, or NULL */
    const struct rp_core *core;       /* the target's; NULL: any */
    uint32_t float_abi;
    enum rp_convention convention; /* by which culprits are told */
};

/*
 * Adds the object or archive at path. RP_E_INIT_ARRAY, RP_E_TLS, RP_E_ABI_MISMATCH name it, its
 * member and section.
 */
bool rp_scan_file(struct rp_scan *scan, struct rp_arena *arena, const char *path,
                  const struct rp_scan_options *options, struct rp_error *err);

/*
 * What the section holds that an image cannot have, or NULL. id: NULL, or gets RP_E_INIT_ARRAY or
 * RP_E_TLS.
 */
const char *rp_scan_section_culprit(const struct rp_section *section, enum rp_error_id *id);
/* Does the relocation show code or constants that no loader could move? */
bool rp_scan_is_culprit(enum rp_convention convention, const struct rp_elf *elf,
                        const struct rp_reloc *reloc);

#endif
