/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a function is called, as the user writes it: NAME(argument, …) -> result. With --entry the
 * arguments declare the tensors (in:float[4]); in a manifest they name them. Numbers are constants.
 */
#ifndef RP_TOOLCHAIN_CALLS_ENTRY_H
#define RP_TOOLCHAIN_CALLS_ENTRY_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/model.h"

/*
 * --entry 'NAME(in:float[4], 4) -> out:int32[1]' into entry, tensors, arguments and result. A name
 * such as 'ns::Class::run' sets code.is_cplusplus.
 */
bool rp_entry_parse(struct rp_model *model, struct rp_arena *arena, const char *spec,
                    struct rp_error *err);

/* A call in a manifest, where tensors stand by their names: 'NAME(x, 4) -> y'. */
struct rp_call_text {
    const char *text, *key, *path; /* key and path are for messages */
    const struct rp_model *model;  /* its tensors may be named; NULL: none may */
};
/* RP_E_MANIFEST. */
bool rp_call_parse(struct rp_call *call, struct rp_arena *arena, const struct rp_call_text *text,
                   struct rp_error *err);

#endif
