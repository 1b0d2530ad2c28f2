/* SPDX-License-Identifier: Apache-2.0 */
/* The outside signer: see signer.h. */
#include "cli/sign/signer.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "elfpack/image/integrity.h"
#include "toolchain/compile/command.h"
#include "toolchain/compile/environment.h"
#include "toolchain/compile/process.h"
#include "toolchain/compile/quote.h"
#include "toolchain/compile/workspace.h"

enum { SIGNATURE_FILE_MAX = 4096 };

static bool make_line(struct rp_arena *arena, const char *command, const struct rp_strings *places,
                      struct rp_strings *line, struct rp_error *err) {
    struct rp_strings words = {0};
    if (!rp_split_words(arena, command, &words, err))
        return false;
    bool signs = rp_command_has(&words, "input") || rp_command_has(&words, "digest");
    if (signs && rp_command_has(&words, "output"))
        return rp_command_fill(arena, &words, places, line, err);
    rp_fail(err, RP_E_USAGE, "--signer '%s' does not say where %s goes", command,
            signs ? "the signature" : "what is to be signed");
    return rp_hint(err, "{input} stands for a file with the bytes to sign, {digest} for one with "
                        "their SHA-256, {output} for the signature");
}

static bool run(struct rp_arena *arena, const struct rp_strings *line,
                const struct rp_strings *passed, struct rp_process_output *said,
                struct rp_error *err) {
    const struct rp_process process = {.argv = line, .passed = passed};
    int status = 0;
    if (!rp_process_read(&process, arena, said, &status, err))
        return false;
    const char *last = rp_last_lines(arena, said->text);
    return status == 0 || rp_fail(err, RP_E_SIGNER, "'%s' ended with status %d:%s", line->items[0],
                                  status, last[0] != '\0' ? last : " it said nothing");
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
    const char *input = rp_path_join(arena, folder.dir, "signed.bin"),
               *digest = rp_path_join(arena, folder.dir, "sha256.bin"),
               *output = rp_path_join(arena, folder.dir, "signature.bin");
    struct rp_strings places = {0};
    RP_PUSH_WORDS(arena, &places, rp_format(arena, "input=%s", input),
                  rp_format(arena, "digest=%s", digest), rp_format(arena, "output=%s", output));
    bool ok = make_line(arena, signer->command, &places, &line, err) &&
              rp_file_write(input, signer->bytes->data, signer->bytes->len, err) &&
              rp_file_write(digest, sum.sha256, sizeof sum.sha256, err) &&
              run(arena, &line, signer->passed, &said, err) &&
              take(arena, signer, output, signature, err);
    rp_workspace_close(&folder, false);
    return ok;
}
