/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Releases of the vendor's tools: of the network, of the headers it is compiled with and of the
 * kernel archive it is linked with. In: the network's numbers, the model's include folders and
 * libraries. Out: an error or a warning that names all three, unless they agree.
 */
#ifndef RP_TOOLCHAIN_NPU_RELEASE_H
#define RP_TOOLCHAIN_NPU_RELEASE_H

#include "toolchain/dialect.h"

/* Numbers of a release; negative: not known. */
struct rp_release {
    int64_t major, minor;
};

/* What a network says about its release. */
struct rp_network_release {
    struct rp_release tool;
    struct rp_release runtime; /* the newer API's networks say this, too */
    bool newer_api;            /* dialect stai */
};

/*
 * Compares the releases. RP_E_PACK: structs or kernels' parameters are known to differ between
 * them, and input does not allow that. Other differences are a warning.
 */
bool rp_release_check(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                      const struct rp_network_release *network, struct rp_error *err);

/* "ai_platform.h is of runtime 5.1": what the headers say, for messages. */
const char *rp_release_of_headers(const struct rp_model *model, struct rp_arena *arena);

#endif
