/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack sign`: puts the signed structure and a signature behind an image's trailer, or adds a
 * signature to an image that has some. In: an image, its weights file, a key. Out: the image with
 * nothing else changed than signature_size and CRC of its trailer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "cli/commands.h"
#include "cli/sign/files.h"
#include "cli/sign/signer.h"
#include "cli/terminal.h"
#include "elfpack/image/signed.h"

struct sign_options {
    const char *weights;
    const char *key;
    const char *passphrase_file;
    const char *signer;
    struct rp_strings pass_env;
    const char *name;
    const char *model_version;
    const char *security_counter;
    const char *device_class;
    const char *firmware_api;
    const char *output;
    bool replace;
};

#define AT(member) offsetof(struct sign_options, member)
static const struct rp_option rows[] = {
    {0, "weights", RP_OPT_TEXT, AT(weights), "FILE",
     "weights or params file of an image that has them apart", NULL},
    {0, "key", RP_OPT_TEXT, AT(key), "KEY.pem", "private key; with --signer, the public one", NULL},
    {0, "passphrase-file", RP_OPT_TEXT, AT(passphrase_file), "FILE|-",
     "the first line of this file, or of the standard input, is the passphrase of the key "
     "(default: ask on the terminal)",
     NULL},
    {0, "signer", RP_OPT_TEXT, AT(signer), "CMD",
     "command line of a program that signs: {input} is a file to sign, {digest} one with its "
     "SHA-256, {output} where the signature goes",
     NULL},
    {0, "pass-env", RP_OPT_LIST, AT(pass_env), "NAME",
     "environment variable to pass on to the signer", NULL},
    {0, "model-version", RP_OPT_TEXT, AT(model_version), "X.Y.Z[+B]", "version of the model", NULL},
    {0, "security-counter", RP_OPT_TEXT, AT(security_counter), "N",
     "devices that have accepted a higher one refuse the image", NULL},
    {0, "device-class", RP_OPT_TEXT, AT(device_class), "TEXT",
     "class of devices that the image is for (default: those without a class)", NULL},
    {0, "firmware-api", RP_OPT_TEXT, AT(firmware_api), "N[..M]",
     "versions of the firmware's API that the image can work with (default: all)", NULL},
    {0, "name", RP_OPT_TEXT, AT(name), "TEXT", "name of the model (default: the image's)", NULL},
    {0, "replace", RP_OPT_FLAG, AT(replace), NULL, "drop the signatures that the image has", NULL},
    {'o', "output", RP_OPT_TEXT, AT(output), "FILE",
     "write the signed image there (default: replace the image)", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

struct work {
    struct rp_arena *arena;
    const struct sign_options *options;
    const char *path; /* of the image */
    struct rp_mapped file, weights;
    struct rp_subject subject;
    struct rp_key *key;
    struct reloc_signed old; /* signatures is 0: none is kept */
    struct rp_statement said;
    struct rp_buf s;
    struct rp_signatures signatures;
};

/* ---- what is said ---- */

static bool set_text(const char **to, const char *given, const char *option, size_t most,
                     struct rp_error *err) {
    if (given == NULL)
        return true;
    *to = given;
    return rp_statement_text_ok(given, most) ||
           rp_fail(err, RP_E_USAGE,
                   "%s '%s' is not a text of 1 to %zu bytes without control characters and those "
                   "that nobody sees",
                   option, given, most);
}

/* "3" or "3..5" */
static bool set_api(struct rp_statement *said, struct rp_arena *arena, const char *given,
                    struct rp_error *err) {
    if (given == NULL)
        return true;
    const char *dots = strstr(given, "..");
    const char *least = dots != NULL ? rp_strndup(arena, given, (size_t)(dots - given)) : given;
    said->has_api = true;
    return (rp_read_u32(least, &said->api_least) &&
            rp_read_u32(dots != NULL ? dots + 2 : given, &said->api_most) &&
            said->api_least <= said->api_most) ||
           rp_fail(err, RP_E_USAGE, "--firmware-api '%s' is not a number or a range such as 3..5",
                   given);
}

/* Names of options that an image without a signature needs and that were not given. */
static bool check_given(const struct work *work, struct rp_error *err) {
    const struct sign_options *options = work->options;
    if (work->old.signatures != 0 ||
        (options->model_version != NULL && options->security_counter != NULL))
        return true;
    rp_fail(err, RP_E_USAGE, "'%s' needs %s%s%s", work->path,
            options->model_version == NULL ? "--model-version X.Y.Z" : "",
            options->model_version == NULL && options->security_counter == NULL ? " and " : "",
            options->security_counter == NULL ? "--security-counter N" : "");
    return rp_hint(err, "only when a signature is added to others, they are taken from there");
}

/* What was given, and where nothing was, what is signed already. */
static bool make_statement(struct work *work, struct rp_error *err) {
    const struct sign_options *options = work->options;
    struct rp_statement *said = &work->said;
    const struct reloc_view *view = &work->subject.image.view;
    if (work->old.signatures != 0)
        *said = rp_statement_of(&work->old, work->arena);
    else
        said->name = (const char *)view->image + view->c_name;
    if (!check_given(work, err) || !set_text(&said->name, options->name, "--name", 64, err) ||
        !set_text(&said->device_class, options->device_class, "--device-class", 32, err) ||
        !set_api(said, work->arena, options->firmware_api, err))
        return false;
    if (!rp_statement_text_ok(said->name, 64))
        return rp_fail(err, RP_E_USAGE,
                       "the image's name is not 1 to 64 bytes of text: give one with --name");
    if (options->model_version != NULL &&
        !rp_model_version_read(options->model_version, &said->version))
        return rp_fail(err, RP_E_USAGE,
                       "--model-version '%s' is not a version such as 1.4.2 or 1.4.2+77, with "
                       "numbers up to 255, 255, 65535 and 4294967295",
                       options->model_version);
    return options->security_counter == NULL ||
           rp_read_u32(options->security_counter, &said->counter) ||
           rp_fail(err, RP_E_USAGE, "--security-counter '%s' is not a number below 2^32",
                   options->security_counter);
}

/* ---- signatures that the image has ---- */

static const char *shown(const char *text) {
    return text != NULL ? text : "none";
}

static const char *api_text(struct rp_arena *arena, const struct rp_statement *said) {
    return said->has_api ? rp_format(arena, "%u..%u", said->api_least, said->api_most) : "none";
}

static void add_difference(struct rp_buf *text, const char *what, const char *old,
                           const char *new) {
    if (strcmp(old, new) != 0)
        rp_buf_printf(text, "%s%s '%s', not '%s'", text->len != 0 ? ", " : "", what, old, new);
}

static bool fail_otherwise(const struct work *work, struct rp_error *err) {
    struct rp_arena *arena = work->arena;
    struct rp_buf text = {.arena = arena}, versions[2] = {{.arena = arena}, {.arena = arena}};
    const struct rp_statement old = rp_statement_of(&work->old, arena), *new = &work->said;
    rp_model_version_put(&versions[0], &old.version);
    rp_model_version_put(&versions[1], &new->version);
    add_difference(&text, "name", old.name, new->name);
    add_difference(&text, "model version", versions[0].data, versions[1].data);
    add_difference(&text, "security counter", rp_format(arena, "%u", old.counter),
                   rp_format(arena, "%u", new->counter));
    add_difference(&text, "device class", shown(old.device_class), shown(new->device_class));
    add_difference(&text, "firmware API", api_text(arena, &old), api_text(arena, new));
    rp_fail(err, RP_E_SIGNED_OTHERWISE, "'%s' is signed already, with %s", work->path,
            text.len != 0 ? text.data : "entries that this version does not write");
    return rp_hint(err, "--replace drops its signatures");
}

/*
 * Another signature may stand beside others only if all of them are over the same S: those of this
 * image. A signature by the same key is made anew.
 */
static bool keep_others(struct work *work, struct rp_error *err) {
    const struct reloc_signed *old = &work->old;
    if (old->signatures == 0)
        return true;
    if (!rp_signed_check(&work->subject, old, err))
        return rp_hint(err, "its signature is void; --replace drops it");
    if (old->size != work->s.len || memcmp(old->bytes, work->s.data, work->s.len) != 0)
        return fail_otherwise(work, err);
    for (uint32_t i = 0; i < old->signatures; i++) {
        struct rp_signature *kept = &work->signatures.items[work->signatures.count];
        memcpy(kept->key_hash, reloc_signature_key_hash(old, i), sizeof kept->key_hash);
        memcpy(kept->value, reloc_signature_value(old, i), sizeof kept->value);
        kept->type = reloc_signature_kind(old, i);
        work->signatures.count +=
            memcmp(kept->key_hash, rp_key_hash(work->key), sizeof kept->key_hash) != 0;
    }
    return work->signatures.count < RELOC_SIG_MAX ||
           rp_fail(err, RP_E_SIGNED_OTHERWISE, "'%s' has %d signatures, which is the most",
                   work->path, (int)RELOC_SIG_MAX);
}

static bool read_old(struct work *work, struct rp_error *err) {
    if (work->options->replace || work->subject.signature_size == 0)
        return true;
    return rp_signed_read(&work->subject, &work->old, err) ||
           rp_hint(err, "--replace puts a new signature in its place");
}

/* ---- signing ---- */

static bool add_signature(struct work *work, struct rp_error *err) {
    const struct sign_options *options = work->options;
    struct rp_signature *new = &work->signatures.items[work->signatures.count++];
    const struct rp_signer signer = {options->signer, &options->pass_env, work->key, &work->s};
    new->type = rp_key_kind(work->key)->type;
    memcpy(new->key_hash, rp_key_hash(work->key), sizeof new->key_hash);
    if (options->signer != NULL)
        return rp_signer_sign(work->arena, &signer, new->value, err);
    return rp_key_sign(work->key, work->s.data, work->s.len, new->value, err) &&
           (rp_key_verify(work->key, work->s.data, work->s.len, new->value) ||
            rp_fail(err, RP_E_INTERNAL, "the new signature does not hold"));
}

/* Is what was made what a verifier reads? */
static bool check_made(const struct work *work, const struct rp_buf *image, struct rp_error *err) {
    struct rp_mapped made = {work->path, (const uint8_t *)image->data, (uint32_t)image->len};
    struct rp_subject subject;
    struct reloc_signed s;
    return (rp_subject_read(&subject, &made, work->subject.weights, err) &&
            rp_signed_read(&subject, &s, err) && rp_signed_check(&subject, &s, err)) ||
           rp_fail(err, RP_E_INTERNAL, "the signed image cannot be read");
}

static bool write_image(const struct work *work, struct rp_error *err) {
    const struct sign_options *options = work->options;
    const char *path = options->output != NULL ? options->output : work->path;
    struct rp_buf image = {.arena = work->arena};
    struct rp_strings inputs = {0};
    struct rp_outputs outputs;
    const char *const spared[] = {options->weights, options->key, options->passphrase_file};
    for (size_t i = 0; i < sizeof spared / sizeof spared[0]; i++)
        if (spared[i] != NULL)
            rp_strings_push(work->arena, &inputs, spared[i]);
    bool ok = rp_signed_write(&image, &work->subject, &work->s, &work->signatures, err) &&
              check_made(work, &image, err) && rp_outputs_begin(&outputs, work->arena, NULL, err);
    if (!ok)
        return false;
    ok = rp_outputs_add_named(&outputs, path, image.data, image.len, err) &&
         rp_outputs_check(&outputs, err) && rp_outputs_spare(&outputs, &inputs, "an input", err) &&
         rp_outputs_commit(&outputs, err);
    rp_outputs_abort(&outputs);
    return ok;
}

static void say(const struct work *work) {
    const struct sign_options *options = work->options;
    struct rp_buf version = {.arena = work->arena};
    rp_model_version_put(&version, &work->said.version);
    FILE *out = options->output != NULL && strcmp(options->output, "-") == 0 ? stderr : stdout;
    fprintf(out, "%s: %s %s, security counter %u, signed by %s (%s)",
            rp_printable(work->arena, options->output != NULL ? options->output : work->path),
            rp_printable(work->arena, work->said.name), version.data, work->said.counter,
            rp_printable(work->arena, options->key), rp_key_kind(work->key)->shown);
    if (work->signatures.count > 1)
        fprintf(out, ", %zu signatures", work->signatures.count);
    fprintf(out, "\n");
    if (work->said.counter == UINT32_MAX)
        fprintf(stderr,
                "relocpack: warning RP1080: %u is the highest security counter: a device that has "
                "accepted it can never be told to refuse an image\n",
                work->said.counter);
}

static bool open_all(struct work *work, struct rp_error *err) {
    const struct sign_options *options = work->options;
    if (options->weights != NULL && !rp_map_file(&work->weights, options->weights, err))
        return false;
    if (!rp_map_file(&work->file, work->path, err) ||
        !rp_subject_read(&work->subject, &work->file,
                         options->weights != NULL ? &work->weights : NULL, err) ||
        (options->weights != NULL && !rp_weights_check(&work->subject.image, &work->weights, err)))
        return false;
    if (!read_old(work, err) || !make_statement(work, err))
        return false;
    work->key = options->signer != NULL
                    ? rp_public_key(work->arena, options->key, err)
                    : rp_private_key(work->arena, options->key, options->passphrase_file, err);
    return work->key != NULL;
}

static int run_sign(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                    struct rp_error *err) {
    struct work work = {.arena = arena, .options = given, .s = {.arena = arena}};
    if (arguments->count != 1 || work.options->key == NULL) {
        rp_fail(err, RP_E_USAGE, "sign takes one image and --key KEY.pem");
        return -1;
    }
    work.path = arguments->items[0];
    bool ok = open_all(&work, err);
    if (ok) {
        rp_signed_make(&work.s, &work.subject, &work.said);
        ok = keep_others(&work, err) && add_signature(&work, err) && write_image(&work, err);
    }
    if (ok)
        say(&work);
    rp_key_free(work.key);
    rp_unmap_file(&work.file);
    rp_unmap_file(&work.weights);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_sign = {
    "sign",  "[options] IMAGE",           "Signs an image, or adds a signature",
    rows,    sizeof(struct sign_options), NULL,
    run_sign};
