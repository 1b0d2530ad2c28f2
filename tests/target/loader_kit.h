/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the test firmwares of the loader share: checks that print and count, RAM with guards, an
 * observed heap and observed cache hooks, images to damage, and running a model against its
 * formula.
 */
#ifndef LOADER_KIT_H
#define LOADER_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ai_reloc_network.h"
#include "loader_config.h"
#include "loader_image.h"
#include "loader_port.h"

/* ---- the images of loader_blobs.S ---- */
extern const uint8_t image_one_start[], image_one_end[];     /* weights inside, trailer */
extern const uint8_t image_two_start[], image_two_end[];     /* weights inside, no trailer */
extern const uint8_t image_split_start[], image_split_end[]; /* weights apart, trailer */
extern const uint8_t image_weights_start[], image_weights_end[];
#define SIZE_OF(name) ((uint32_t)(name##_end - name##_start))

#define ID_ONE 3 /* IMAGE_ID of image_one and image_split */
#define ID_TWO 1000

/* ---- checks ---- */
extern unsigned kit_failures;
void kit_check(bool good, const char *what, unsigned line);
void kit_check_error(ai_error error, ai_error expected, const char *what, unsigned line);
int kit_result(void); /* prints passed or failed; returns the exit status */

#define CHECK(condition) kit_check((condition), #condition, __LINE__)
#define CHECK_ERROR(call, t, c)                                                                    \
    kit_check_error((call), (ai_error){AI_ERROR_##t, AI_ERROR_CODE_##c}, #call, __LINE__)

/* ---- RAM with guards ---- */
/* Fills the arena and returns an address in it, 8-aligned, with at least 16 KB behind it. */
uint8_t *arena_reset(void);
/* Returns whether all of the arena except size bytes at start still has the fill. */
bool arena_intact(const uint8_t *start, uint32_t size);
extern uint8_t *const arena_start;

/* ---- heap: one block, with guards ---- */
extern unsigned heap_blocks;
extern bool heap_empty;
extern uint32_t heap_asked;

/* ---- cache hooks ---- */
/* If not NULL, called by the first hook, between the copy and create. */
extern void (*kit_before_create)(void);
void caches_reset(void);
/* Returns whether both hooks were called the given number of times, the last time with this range.
 */
bool caches_did(unsigned calls, const void *address, uint32_t size);

/* ---- running a model ---- */
bool init_with(ai_handle net, const void *weights);
/* Runs and compares with the formula of loader_image.h; run counts from 1 at create. */
bool run_is_right(ai_handle net, int32_t id, int32_t run);
/* Calls init_with and run_is_right with the weights that belong to image. */
bool works(ai_handle net, const uint8_t *image, int32_t id, int32_t run);
ai_handle load_at(const uint8_t *image, uint8_t *ram, uint32_t mode);

/* ---- an image to damage ---- */
enum { KIT_IMAGE_WORDS = 2048 };
extern uint32_t damaged[KIT_IMAGE_WORDS];
/* Copies an image to damaged and returns valid arguments for it: XIP, enough RAM for either mode.
 */
ai_rel_network_load_args args_for(const uint8_t *image, uint32_t size, uint8_t *ram);

/* ---- tests in files of their own ---- */
void test_report(void);
void test_observer(void);
void test_node_info(void);
void test_mutations(void);
void test_trust(void);

#endif
