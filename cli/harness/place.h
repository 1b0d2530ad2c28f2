/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places everything that `verify` needs on an emulated board. In: sizes, and what is taken. Out:
 * addresses, and the memory that is left, which will be filled. Pure.
 */
#ifndef RP_CLI_HARNESS_PLACE_H
#define RP_CLI_HARNESS_PLACE_H

#include "base/error.h"
#include "toolchain/compile/board.h"

/* Free memory, in the order of the board's memories. */
enum { RP_SPACE_MAX = 96 };
struct rp_space {
    const struct rp_board *board;
    uint32_t guard; /* bytes between two areas, and at the ends of a memory */
    uint32_t shift; /* bytes that an area keeps from the end of its piece, where there is room */
    struct rp_area free[RP_SPACE_MAX];
    size_t count;
};

/*
 * All RAM of an emulated board except vectors, stack and plan; guards of HARNESS_GUARD_MAX bytes.
 */
void rp_space_begin(struct rp_space *space, const struct rp_board *board);
/*
 * The RAM of any board, in the order of its memories, but external ones last; guards of that many
 * bytes. set_up: also memories that a firmware has to set up.
 */
void rp_space_of_ram(struct rp_space *space, const struct rp_board *board, bool set_up,
                     uint32_t guard);
/* Removes an area, with room for guards on both sides, from the free memory. */
void rp_space_take(struct rp_space *space, struct rp_area area);
/* The free piece that begins at address; its size is 0 when the address is not free. */
struct rp_area rp_space_at(const struct rp_space *space, uint32_t address);
/* The largest free piece inside limits, with room for guards; {0, 0} when there is none. */
struct rp_area rp_space_largest(const struct rp_space *space, struct rp_area limits);

/* Something that needs a place. */
struct rp_want {
    const char *what; /* "the activations" */
    uint32_t size;    /* bytes; 0: it needs no place */
    uint32_t align;   /* a power of two; with is_odd, the address is an odd multiple of it */
    bool is_odd;
    uint32_t but_not;      /* an address that must not be used, or 0 */
    struct rp_area *place; /* out */
    uint32_t above;        /* the place must lie above this address; or 0 */
    bool for_code;         /* code runs in it */
};
enum { RP_WANTS_MAX = 16 };

/*
 * Places all of them, the largest first. from_end: in the last memories, at high addresses.
 * RP_E_VERIFY names what does not fit and what the board has.
 */
bool rp_space_place(struct rp_space *space, const struct rp_want *wants, size_t count,
                    bool from_end, struct rp_error *err);
/* Fails with RP_E_VERIFY, "no room for WHAT (n bytes) ...", for what the caller could not place. */
bool rp_space_lacks(const struct rp_space *space, const char *what, uint64_t size,
                    struct rp_error *err);

#endif
