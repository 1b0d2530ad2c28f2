/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack verify-signature`: what a device decides about a signed image, on the host. In: an
 * image, its weights file, public keys and what the device is. Out: whether it holds, and if not,
 * an error of its own for each reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/report/signature.h"
#include "cli/sign/files.h"
#include "cli/terminal.h"
#include "elfpack/image/signed.h"

struct verify_options {
    const char *weights;
    struct rp_strings keys;
    const char *device_class;
    const char *firmware_api;
    const char *security_counter;
    bool json;
};

#define AT(member) offsetof(struct verify_options, member)
static const struct rp_option rows[] = {
    {0, "weights", RP_OPT_TEXT, AT(weights), "FILE",
     "weights or params file of an image that has them apart", NULL},
    {0, "key", RP_OPT_LIST, AT(keys), "KEY.pub.pem",
     "public key that is accepted; may be given several times: one signature is enough", NULL},
    {0, "device-class", RP_OPT_TEXT, AT(device_class), "TEXT",
     "refuse an image for another class of devices, or for none (default: not checked)", NULL},
    {0, "firmware-api", RP_OPT_TEXT, AT(firmware_api), "N",
     "refuse an image that does not work with this version of the firmware's API (default: not "
     "checked)",
     NULL},
    {0, "security-counter", RP_OPT_TEXT, AT(security_counter), "N",
     "refuse an image with a lower security counter (default: not checked)", NULL},
    {0, "json", RP_OPT_FLAG, AT(json), NULL, "print JSON, also when the signature does not hold",
     NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

struct check {
    struct rp_arena *arena;
    const struct verify_options *options;
    uint32_t api, counter; /* as numbers, where they were given */
    struct rp_mapped file, weights;
    struct rp_subject subject;
    struct reloc_signed s; /* bytes is NULL until it has been read */
    const char *by;        /* key file whose signature holds */
};

static bool read_numbers(struct check *check, struct rp_error *err) {
    const struct verify_options *options = check->options;
    if (options->firmware_api != NULL && !rp_read_u32(options->firmware_api, &check->api))
        return rp_fail(err, RP_E_USAGE, "--firmware-api '%s' is not a number below 2^32",
                       options->firmware_api);
    return options->security_counter == NULL ||
           rp_read_u32(options->security_counter, &check->counter) ||
           rp_fail(err, RP_E_USAGE, "--security-counter '%s' is not a number below 2^32",
                   options->security_counter);
}

/* ---- keys ---- */

enum found { FOUND_NONE, FOUND_VOID, FOUND_RIGHT };

/* Whether S has a signature by this key, and whether it holds. */
static enum found find_signature(const struct reloc_signed *s, const struct rp_key *key) {
    enum found found = FOUND_NONE;
    for (uint32_t i = reloc_signed_find(s, rp_key_hash(key), 0); i < s->signatures;
         i = reloc_signed_find(s, rp_key_hash(key), i + 1)) {
        found = FOUND_VOID;
        if (reloc_signature_kind(s, i) == rp_key_kind(key)->type &&
            rp_key_verify(key, s->bytes, s->size, reloc_signature_value(s, i)))
            return FOUND_RIGHT;
    }
    return found;
}

static bool fail_key(const struct check *check, struct rp_error *err) {
    struct rp_buf text = {.arena = check->arena};
    char hash[2 * RELOC_SIG_KEY_HASH_BYTES + 1];
    for (uint32_t i = 0; i < check->s.signatures; i++) {
        rp_hex(hash, reloc_signature_key_hash(&check->s, i), RELOC_SIG_KEY_HASH_BYTES);
        rp_buf_printf(&text, "%s%s", i != 0 ? " and " : "", hash);
    }
    return rp_fail(err, RP_E_SIGNED_KEY, "'%s' is signed by the key%s %s, %s",
                   check->subject.file->path, check->s.signatures == 1 ? "" : "s", text.data,
                   check->s.signatures == 1 ? "which was not given" : "none of which was given");
}

/* One signature by one of the keys is enough; all keys are read, so that a wrong name is noticed.
 */
static bool check_keys(struct check *check, struct rp_error *err) {
    const char *not_right = NULL;
    for (size_t i = 0; i < check->options->keys.count; i++) {
        const char *path = check->options->keys.items[i];
        struct rp_key *key = rp_public_key(check->arena, path, err);
        if (key == NULL)
            return false;
        enum found found = find_signature(&check->s, key);
        rp_key_free(key);
        if (found == FOUND_RIGHT && check->by == NULL)
            check->by = path;
        if (found == FOUND_VOID && not_right == NULL)
            not_right = path;
    }
    if (check->by != NULL)
        return true;
    return not_right == NULL
               ? fail_key(check, err)
               : rp_fail(err, RP_E_SIGNATURE, "'%s': the signature by '%s' does not hold",
                         check->subject.file->path, not_right);
}

/* ---- the device ---- */

static bool check_device(const struct check *check, struct rp_error *err) {
    const struct verify_options *options = check->options;
    const char *path = check->subject.file->path, *class = options->device_class;
    const struct reloc_signed *s = &check->s;
    const struct rp_statement said = rp_statement_of(s, check->arena);
    if (class != NULL &&
        (strlen(class) > UINT16_MAX ||
         reloc_signed_check_class(s, (const uint8_t *)class, (uint32_t)strlen(class)) != RELOC_OK))
        return rp_fail(err, RP_E_DEVICE_CLASS, "'%s' is signed for %s%s%s, not for '%s'", path,
                       said.device_class != NULL ? "the device class '" : "devices without a class",
                       said.device_class != NULL ? said.device_class : "",
                       said.device_class != NULL ? "'" : "", class);
    if (options->firmware_api != NULL && reloc_signed_check_api(s, check->api) != RELOC_OK)
        return rp_fail(err, RP_E_FIRMWARE_API,
                       "'%s' is signed for versions %u to %u of the firmware's API, not for %u",
                       path, said.api_least, said.api_most, check->api);
    return options->security_counter == NULL ||
           reloc_signed_check_counter(s, check->counter) == RELOC_OK ||
           rp_fail(err, RP_E_SECURITY_COUNTER,
                   "'%s' has the security counter %u, and %u is the least that is accepted", path,
                   said.counter, check->counter);
}

static bool check_all(struct check *check, const char *path, struct rp_error *err) {
    const char *weights = check->options->weights;
    if (weights != NULL && !rp_map_file(&check->weights, weights, err))
        return false;
    return rp_map_file(&check->file, path, err) &&
           rp_subject_read(&check->subject, &check->file, weights != NULL ? &check->weights : NULL,
                           err) &&
           rp_signed_read(&check->subject, &check->s, err) &&
           rp_signed_check(&check->subject, &check->s, err) && check_keys(check, err) &&
           check_device(check, err);
}

/* ---- what is said ---- */

static void print_json(const struct check *check, const char *path, const struct rp_error *err) {
    struct rp_json *root = RP_JSON_PUT(rp_document("verify-signature", 1, "verify-signature"),
                                       RP_JSON_S("image", path), RP_JSON_B("holds", err->id == 0),
                                       RP_JSON_S("key", check->by));
    if (err->id != 0)
        rp_json_put(root, "error",
                    RP_JSON_NEW(RP_JSON_S("id", rp_format(check->arena, "RP%d", (int)err->id)),
                                RP_JSON_S("message", err->message)));
    else
        rp_signature_json(root, &check->s);
    rp_print_json(root);
}

static int run_verify_signature(struct rp_arena *arena, void *given,
                                const struct rp_strings *arguments, struct rp_error *err) {
    struct check check = {.arena = arena, .options = given};
    if (arguments->count != 1 || check.options->keys.count == 0) {
        rp_fail(err, RP_E_USAGE, "verify-signature takes one image and --key KEY.pub.pem");
        return -1;
    }
    const char *path = arguments->items[0];
    if (!read_numbers(&check, err))
        return -1;
    bool ok = check_all(&check, path, err);
    if (check.options->json && (ok || rp_exit_code(err) == RP_EXIT_VERIFY))
        print_json(&check, path, err);
    if (ok && !check.options->json) {
        printf("%s: the signature by %s holds\n", rp_printable(arena, path),
               rp_printable(arena, check.by));
        rp_signature_print(&check.s);
    }
    rp_unmap_file(&check.file);
    rp_unmap_file(&check.weights);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_verify_signature = {"verify-signature",
                                                       "[options] --key KEY.pub.pem IMAGE",
                                                       "Says whether a signature of an image holds",
                                                       rows,
                                                       sizeof(struct verify_options),
                                                       NULL,
                                                       run_verify_signature};
