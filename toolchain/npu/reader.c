/* SPDX-License-Identifier: Apache-2.0 */
/* What all that read network.c need: see reader.h. */
#include "toolchain/npu/reader.h"

#include <stdarg.h>

bool rp_aton_fail(const struct rp_aton_reader *reader, unsigned line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = rp_vformat(reader->arena, fmt, args);
    va_end(args);
    return rp_fail(reader->err, RP_E_ATON, "%s:%u: %s", reader->lexer.path, line, text);
}

void rp_aton_reader_init(struct rp_aton_reader *reader, struct rp_arena *arena,
                         const struct rp_aton_text *text, struct rp_error *err) {
    *reader = (struct rp_aton_reader){
        .lexer = {.at = text->bytes,
                  .end = text->bytes + text->size,
                  .path = text->path,
                  .line = 1},
        .arena = arena,
        .err = err,
        .head = rp_alloc(arena, RP_ATON_HEAD_MAX, sizeof *reader->head),
        .row = rp_alloc(arena, RP_ATON_ROW_MAX, sizeof *reader->row),
    };
}

char *rp_aton_word(const struct rp_aton_reader *reader, const struct rp_ctoken *token) {
    return rp_strndup(reader->arena, token->at, token->len);
}
