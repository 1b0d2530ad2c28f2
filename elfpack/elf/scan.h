/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Examines objects and archives before they are linked: large constants and zero-initialised
 * arrays, which get parts of their own; symbols needed and defined; build attributes; and code that
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
    const char *object;  /* path that the linker will be given */
    const char *section; /* ".rodata.w1" */
    uint32_t size;
    uint32_t align;
    bool zero;                /* activations */
    bool variable;            /* neither: it is writable and has initial values */
    struct rp_strings arrays; /* names: an author may have put several arrays in one section */
    uint64_t array_bytes;     /* sum of their sizes, without gaps */
};

/* A culprit found before the link: code or constants in an object that no loader could move. */
struct rp_object_culprit {
    const char *object;
    const char *member; /* or NULL */
    const char *section;
    const char *symbol; /* function or object that holds the word, or "" */
    const char *type;   /* "R_ARM_ABS32" */
    const char *target;
    uint32_t count; /* such relocations in a row */
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
    struct rp_strings filled;    /* sections with a name for zeros, but other contents */
    struct rp_authored authored; /* sections whose names mean nothing in an image */
    struct rp_strings wanted;    /* undefined symbols, with duplicates */
    struct rp_strings defined;   /* global symbols that a plain object or, with options.culprits, a
                                    position-independent archive member defines */
    size_t got_uses;             /* with options.culprits: relocations that lead to the GOT */
    struct rp_strings imported;  /* names in options.imports that an object refers to */
    struct rp_strings called;    /* of these, those that a branch leads to */
    struct rp_strings
        unwinder;   /* __aeabi_unwind_cpp_pr*, if not only unwinding tables refer to it */
    size_t members; /* number of ELF files */
    struct rp_abi_objects objects; /* all of them */
};

struct rp_scan_options {
    const char *shown;          /* name of the file in messages; NULL: its path */
    uint32_t weights_threshold; /* bytes from which constants are weights; 0: never */
    uint32_t
        acts_threshold;    /* bytes from which zero-initialised arrays are activations; 0: never */
    bool large;            /* look for large constants and arrays */
    bool variables;        /* also look for arrays with initial values, of any size */
    const char *constants; /* sections of this name are constants, whatever their flags and
                              size; or NULL */
    bool culprits;         /* collect what is not position-independent */
    bool constructors_ok;  /* do not refuse .init_array and TLS */
    bool members_later;    /* nor those of archive members, which may turn out to be unused:
                              startup.h checks them after the link */
    const struct rp_strings *imports; /* names to look for, or NULL */
    const struct rp_core *core;       /* the target's; NULL: any */
    uint32_t float_abi;
    enum rp_convention convention; /* decides what is a culprit */
};

/*
 * Adds the object or archive at path. RP_E_INIT_ARRAY, RP_E_TLS, RP_E_ABI_MISMATCH: an image cannot
 * have it. Also errors of rp_elf_each.
 */
bool rp_scan_file(struct rp_scan *scan, struct rp_arena *arena, const char *path,
                  const struct rp_scan_options *options, struct rp_error *err);

/*
 * A text for what the section holds and an image cannot have, or NULL. id: NULL, or is set to
 * RP_E_INIT_ARRAY or RP_E_TLS.
 */
const char *rp_scan_section_culprit(const struct rp_section *section, enum rp_error_id *id);
/* Does the relocation show code or constants that no loader could move? */
bool rp_scan_is_culprit(enum rp_convention convention, const struct rp_elf *elf,
                        const struct rp_reloc *reloc);

#endif
