/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of runtime/format/reloc_signed.h: the bytes behind a trailer are refused, or
 * described by offsets that are all in bounds; what they say can be shown. The same bytes as a
 * signature that another program made.
 */
#include "tests/fuzz/fuzz.h"

#include "elfpack/image/keys.h"
#include "elfpack/image/signed.h"

static void require_bounds(const struct reloc_signed *s, uint32_t size) {
    require(s->size >= RELOC_SGN_HEADER_BYTES && s->size <= RELOC_SGN_BYTES_MAX && s->size <= size);
    require(s->signatures >= 1 && s->signatures <= RELOC_SIG_MAX);
    require(s->size + s->signatures * RELOC_SIG_BYTES == size);
    uint32_t end = RELOC_SGN_HEADER_BYTES;
    for (uint32_t type = 1; type < RELOC_SGN_TYPES; type++) {
        if (s->at[type] == 0)
            continue;
        require(s->at[type] >= end + RELOC_SGN_ENTRY_BYTES && s->at[type] % 4 == 0);
        require(s->length[type] != 0 && s->length[type] <= s->size - s->at[type]);
        end = s->at[type] + s->length[type];
    }
    for (uint32_t i = 0; i < s->signatures; i++)
        require(rp_key_kind_of(reloc_signature_kind(s, i)) != NULL &&
                reloc_signature_value(s, i) + RELOC_SIG_VALUE_BYTES <= s->bytes + size);
}

/* What was read says the same when it is written again, but for what may be skipped. */
static void require_statement(const struct reloc_signed *s) {
    struct rp_arena arena = {0};
    struct rp_statement said = rp_statement_of(s, &arena);
    struct rp_buf text = {.arena = &arena};
    struct rp_model_version version;
    rp_model_version_put(&text, &said.version);
    require(rp_model_version_read(text.data, &version));
    require(memcmp(&version, &said.version, sizeof version) == 0);
    require(said.name[0] != '\0' && strlen(said.name) <= 64);
    require(!said.has_api || said.api_least <= said.api_most);
    rp_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct reloc_signed s;
    uint8_t signature[RELOC_SIG_VALUE_BYTES];
    if (size > 1u << 16)
        return 0;
    uint8_t *exact = malloc(size + 1); /* of its exact size but for 0, which malloc may refuse */
    require(exact != NULL);
    memcpy(exact, data, size);
    uint8_t *bytes = realloc(exact, size != 0 ? size : 1);
    require(bytes != NULL);
    uint32_t code = reloc_signed_read(bytes, (uint32_t)size, &s);
    require(code == RELOC_OK || code == (size == 0 ? RELOC_N_UNSIGNED : RELOC_N_SIGNED));
    if (code == RELOC_OK) {
        require_bounds(&s, (uint32_t)size);
        require_statement(&s);
        (void)reloc_signed_find(&s, bytes, 0);
    }
    for (size_t i = 0; rp_key_kind_at(i) != NULL; i++)
        if (rp_signature_take(rp_key_kind_at(i), bytes, size, signature))
            require(size == RELOC_SIG_VALUE_BYTES || i == 1);
    free(bytes);
    return 0;
}
