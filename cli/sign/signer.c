/* SPDX-License-Identifier: Apache-2.0 */
/* The outside signer: see signer.h. */
#include "cli/sign/signer.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "elfpack/integrity.h"
#include "toolchain/build/environment.h"
#include "toolchain/build/process.h"
#include "toolchain/build/quote.h"
#include "toolchain/build/workspace.h"

enum { SIGNATURE_FILE_MAX = 4096, LAST_BYTES = 600 };

struct place {
    const char *name;
    const char *path;
    bool used;
};

/* The word with the path in place of each name. */
static const char *fill(struct rp_arena *arena, const char *word, struct place *places,
                        size_t count) {
    struct rp_buf text = {.arena = arena};
    while (*word != '\0') {
        size_t i = 0;
        while (i < count && strncmp(word, places[i].name, strlen(places[i].name)) != 0)
            i++;
        if (i == count) {
            rp_buf_append(&text, word++, 1);
            continue;
        }
        places[i].used = true;
        rp_buf_puts(&text, places[i].path);
        word += strlen(places[i].name);
    }
    return rp_buf_text(&text);
}

static bool make_line(struct rp_arena *arena, const char *command, struct place places[3],
                      struct rp_strings *line, struct rp_error *err) {
    struct rp_strings words = {0};
    if (!rp_split_words(arena, command, &words, err))
        return false;
    for (size_t i = 0; i < words.count; i++)
        rp_strings_push(arena, line, fill(arena, words.items[i], places, 3));
    if ((places[0].used || places[1].used) && places[2].used)
        return true;
    rp_fail(err, RP_E_USAGE, "--signer '%s' does not say where %s goes", command,
            places[2].used ? "what is to be signed" : "the signature");
    return rp_hint(err, "{input} stands for a file with the bytes to sign, {digest} for one with "
                        "their SHA-256, {output} for the signature");
}

/* The end of what the program said. */
static const char *last_of(const struct rp_process_output *said) {
    size_t skip = said->size > LAST_BYTES ? said->size - LAST_BYTES : 0;
    return said->size != 0 ? said->text + skip : "it said nothing";
}

static bool run(struct rp_arena *arena, const struct rp_strings *line,
                const struct rp_strings *passed, struct rp_process_output *said,
                struct rp_error *err) {
    const struct rp_process process = {.argv = line, .passed = passed};
    int status = 0;
    return rp_process_read(&process, arena, said, &status, err) &&
           (status == 0 || rp_fail(err, RP_E_SIGNER, "'%s' ended with status %d: %s",
                                   line->items[0], status, last_of(said)));
}

/* What the program wrote, as a signature that holds. */
static bool take(struct rp_arena *arena, const struct rp_signer *signer, const char *path,
                 uint8_t *signature, struct rp_error *err) {
    const struct rp_key_kind *kind = rp_key_kind(signer->key);
    bool may_hash = kind->type == RELOC_SIG_ECDSA_P256;
    struct rp_bytes made;
    if (!rp_file_look(arena, path, SIGNATURE_FILE_MAX, &made, NULL))
        return rp_fail(err, RP_E_SIGNER, "the signer wrote no signature of at most %d bytes",
                       (int)SIGNATURE_FILE_MAX);
    if (!rp_signature_take(kind, made.data, made.size, signature))
        return rp_fail(err, RP_E_SIGNER,
                       "the signer wrote %zu bytes that are no %s signature: it has 64 bytes%s",
                       made.size, kind->shown, may_hash ? ", or is DER" : "");
    if (rp_key_verify(signer->key, signer->bytes->data, signer->bytes->len, signature))
        return true;
    rp_fail(err, RP_E_SIGNER, "the signer's signature does not hold for the public key");
    return rp_hint(err, "%s",
                   may_hash ? "it signs with another key, or hashes where it should not: a program "
                              "that hashes takes {input}, one that does not takes {digest}"
                            : "it signs with another key, or not the bytes of {input} as they are");
}

bool rp_signer_sign(struct rp_arena *arena, const struct rp_signer *signer,
                    uint8_t signature[RELOC_SIG_VALUE_BYTES], struct rp_error *err) {
    struct rp_workspace folder;
    struct rp_strings line = {0};
    struct rp_process_output said = {0};
    struct rp_sum sum = rp_sum_bytes(signer->bytes->data, signer->bytes->len);
    if (!rp_environment_check(signer->passed, err) || !rp_workspace_open(&folder, arena, NULL, err))
        return false;
    struct place places[3] = {
        {"{input}", rp_path_join(arena, folder.dir, "signed.bin"), false},
        {"{digest}", rp_path_join(arena, folder.dir, "sha256.bin"), false},
        {"{output}", rp_path_join(arena, folder.dir, "signature.bin"), false}};
    bool ok = make_line(arena, signer->command, places, &line, err) &&
              rp_file_write(places[0].path, signer->bytes->data, signer->bytes->len, err) &&
              rp_file_write(places[1].path, sum.sha256, sizeof sum.sha256, err) &&
              run(arena, &line, signer->passed, &said, err) &&
              take(arena, signer, places[2].path, signature, err);
    rp_workspace_close(&folder, false);
    return ok;
}
