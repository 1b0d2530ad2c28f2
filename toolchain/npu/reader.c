/* SPDX-License-Identifier: Apache-2.0 */
/* What everything that reads text of the Neural-ART compiler needs: see reader.h. */
#include "toolchain/npu/reader.h"

#include <string.h>

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

const struct rp_dtype *rp_aton_number_type(const char *name) {
    const struct rp_dtype *dtype = rp_dtype_find(name);
    bool is_named = dtype != NULL && strcmp(dtype->c_type, name) == 0;
    return is_named && strcmp(dtype->name, "bool") != 0 ? dtype : NULL;
}
