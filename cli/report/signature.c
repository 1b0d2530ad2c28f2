/* SPDX-License-Identifier: Apache-2.0 */
/* What a signature block says: see signature.h. */
#include "cli/report/signature.h"

#include <stdio.h>

#include "cli/terminal.h"
#include "elfpack/image/integrity.h"
#include "elfpack/image/keys.h"

static const char *hash_text(struct rp_arena *arena, const uint8_t *hash) {
    char *text = rp_alloc(arena, 2 * RELOC_SHA256_BYTES + 1, 1);
    rp_hex(text, hash, RELOC_SHA256_BYTES);
    return text;
}

static const char *version_text(struct rp_arena *arena, const struct rp_statement *said) {
    struct rp_buf text = {.arena = arena};
    rp_model_version_put(&text, &said->version);
    return text.data;
}

void rp_signature_print(const struct reloc_signed *s) {
    struct rp_arena arena = {0};
    struct rp_statement said = rp_statement_of(s, &arena);
    printf("model        %s %s\n", rp_printable(&arena, said.name), version_text(&arena, &said));
    printf("counter      %u\n", said.counter);
    if (said.device_class != NULL)
        printf("device class %s\n", rp_printable(&arena, said.device_class));
    if (said.has_api)
        printf("firmware API %u to %u\n", said.api_least, said.api_most);
    for (uint32_t i = 0; i < s->signatures; i++)
        printf("%-12s %s, key %s\n", i == 0 ? "signed by" : "",
               rp_key_kind_of(reloc_signature_kind(s, i))->shown,
               hash_text(&arena, reloc_signature_key_hash(s, i)));
    rp_arena_release(&arena);
}

void rp_signature_json(struct rp_json *object, const struct reloc_signed *s) {
    struct rp_arena arena = {0};
    struct rp_statement said = rp_statement_of(s, &arena);
    uint32_t weights = s->at[RELOC_SGN_WEIGHTS_SHA256];
    RP_JSON_PUT(
        object, RP_JSON_S("model_name", said.name),
        RP_JSON_S("model_version", version_text(&arena, &said)),
        RP_JSON_N("security_counter", said.counter), RP_JSON_S("device_class", said.device_class),
        RP_JSON_S("image_sha256", hash_text(&arena, s->bytes + s->at[RELOC_SGN_IMAGE_SHA256])),
        RP_JSON_S("weights_sha256", weights != 0 ? hash_text(&arena, s->bytes + weights) : NULL));
    if (said.has_api)
        rp_json_put(
            object, "firmware_api",
            RP_JSON_NEW(RP_JSON_N("least", said.api_least), RP_JSON_N("most", said.api_most)));
    struct rp_json *list = rp_json_new_array(object, "signatures");
    for (uint32_t i = 0; i < s->signatures; i++)
        rp_json_push(
            list,
            RP_JSON_NEW(RP_JSON_S("type", rp_key_kind_of(reloc_signature_kind(s, i))->name),
                        RP_JSON_S("key_hash", hash_text(&arena, reloc_signature_key_hash(s, i)))));
    rp_arena_release(&arena);
}
