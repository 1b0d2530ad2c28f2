/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the test firmwares of the Neural-ART loader share: checks that print and count, the arena
 * that images are installed in and its shadow, cache functions that are watched.
 */
#ifndef NPU_LOADER_KIT_H
#define NPU_LOADER_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ll_aton_reloc_loader.h"
#include "loader_port.h"
#include "npu_loader_image.h"

/* ---- the images of npu_loader_blobs.S ---- */
extern const uint8_t image_one_start[], image_one_end[];     /* params inside, trailer */
extern const uint8_t image_two_start[], image_two_end[];     /* params inside, no trailer */
extern const uint8_t image_split_start[], image_split_end[]; /* params apart, trailer */
extern const uint8_t image_params_start[], image_params_end[];
extern const uint8_t image_acts_start[], image_acts_end[]; /* no params in the external pool */
extern const uint8_t image_code_start[], image_code_end[]; /* words to rebase in the code */
#define SIZE_OF(name) ((uint32_t)(name##_end - name##_start))
#define ID_ONE        3 /* IMAGE_ID of image_one and image_split */
#define ID_TWO        1000
#define ID_ACTS       5
#define ID_CODE       9

/* ---- checks ---- */
extern unsigned kit_failures;
void kit_check(bool good, const char *what, unsigned line);
int kit_result(void); /* says passed or failed; the exit status */
#define CHECK(condition) kit_check((condition), #condition, __LINE__)

/* ---- arena: nothing else is written ---- */
uint8_t *at(uint32_t address);
/* Fills the arena, places the image at IMAGE_START and external params at PARAMS_START. */
void arena_reset(const uint8_t *image, uint32_t size);
/* Whether the arena is as arena_reset left it, or as the last arena_keep saw it. */
bool arena_same(void);
void arena_keep(void);
/* The same for all but size bytes at start: what is there counts as seen. */
void arena_forget(uint32_t start, uint32_t size);

/* ---- caches: what was called, in order ---- */
struct event {
    char kind; /* D: D-cache, N: NPU cache, I: I-cache; c: the D-cache as the image calls it */
    uint32_t start;
    uint32_t size;
};
void events_reset(void);
bool events_were(const struct event *expected, uint32_t count);
#define EVENTS_WERE(...)                                                                           \
    events_were((const struct event[]){__VA_ARGS__},                                               \
                sizeof((const struct event[]){__VA_ARGS__}) / sizeof(struct event))

/* Called, when set, each time that the loader asks for the core or calls a cache function. */
extern void (*kit_hook)(void);

/* What the firmware's concat saw: calls with the right arguments and r9. */
extern unsigned concat_calls, concat_r9;
extern int concat_result;

/* Calls of AI_RELOC_LOG, in the build that has it. */
extern unsigned log_lines;

/* ---- installing ---- */
/* What the firmware allows, in the builds with a table: the pages of the images' pools. */
extern const ll_aton_reloc_region kit_regions[];
uint32_t image_word(uint32_t offset); /* of the image at IMAGE_START */
void put_image_word(uint32_t offset, uint32_t word);
uint32_t random_u32(void);
uint32_t random_word(uint32_t old, uint32_t bytes); /* boundary values, words of the image, noise */
/* Good arguments for an image at IMAGE_START; config is what they point to. */
ll_aton_reloc_install_args args_for(uint32_t size, uint32_t mode, ll_aton_reloc_config *config);
bool filled_with(uint32_t start, uint32_t size, int value);
bool has_params(uint32_t start, uint32_t foff, uint32_t size);

/* ---- tests in files of their own ---- */
void test_refusals(void);
void test_mutations(void);
void test_destinations(void);
void test_changes(void);

#endif
