/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Glitches in the loader (loader_faults.c), and the images and calls that it is tried with: bad
 * ones, of which each is refused by one check. Linked with one list of them.
 */
#ifndef LOADER_FAULTS_H
#define LOADER_FAULTS_H

#include "loader_kit.h"
#include "format/reloc_core.h"

/* The good image, where a load is tried, and the call; make changes the last two. */
extern const uint8_t *good;
extern uint32_t good_size;
extern struct reloc_view good_view;
extern uint8_t *ram;
extern ai_rel_network_load_args args;

#define HEADER_ENTRY(name) damaged[RELOC_HDR_ENTRIES / 4 + RELOC_ENTRY_##name]

/* The trailer of damaged fits what is in front of it: only the check under attack is in the way. */
void seal(void);

/* ---- a list ---- */
struct bad {
    const char *name;
    void (*make)(void);
    bool sealed; /* what protects the image fits afterwards */
};
extern const struct bad bads[];
extern const uint32_t bad_count;
/* What is done to the good image (NULL), and after make. */
void finish(const struct bad *bad);

/* ---- what a list may have ---- */
enum { LIST_BYTES_LOG2 = 9 };
/* Memory of the verifier, which a load may write. */
extern uint8_t list_memory[1 << LIST_BYTES_LOG2];

#endif
