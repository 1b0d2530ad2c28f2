/* SPDX-License-Identifier: Apache-2.0 */
/* What everything that reads text of the Neural-ART compiler needs: see reader.h. */
#include "toolchain/npu/reader.h"

struct rp_csource rp_aton_open(struct rp_arena *arena, const struct rp_aton_text *text,
                               struct rp_error *err) {
    return (struct rp_csource){.lexer = {.at = text->bytes,
                                         .end = text->bytes + text->size,
                                         .path = text->path,
                                         .line = 1},
                               .arena = arena,
                               .err = err,
                               .unclear = RP_E_ATON};
}

char *rp_aton_word(const struct rp_csource *source, const struct rp_ctoken *token) {
    return rp_strndup(source->arena, token->at, token->len);
}
