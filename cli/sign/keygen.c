/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack keygen`: a pair of keys, in two new files. A key is never replaced, and the private
 * one is for its owner only.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/sign/files.h"
#include "cli/terminal.h"
#include "elfpack/image/integrity.h"

struct keygen_options {
    const char *type;
    const char *output;
    const char *passphrase_file;
    bool encrypt;
};

#define AT(member) offsetof(struct keygen_options, member)
static const struct rp_option rows[] = {
    {0, "type", RP_OPT_TEXT, AT(type), "ed25519|p256", "kind of key", NULL},
    {'o', "output", RP_OPT_TEXT, AT(output), "KEY.pem",
     "private key to write; the public one is KEY.pub.pem beside it", NULL},
    {0, "encrypt", RP_OPT_FLAG, AT(encrypt), NULL,
     "ask for a passphrase, and encrypt the private key with it", NULL},
    {0, "passphrase-file", RP_OPT_TEXT, AT(passphrase_file), "FILE|-",
     "encrypt the private key with the first line of this file, or of the standard input", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static const struct rp_key_kind *find_kind(const char *name, struct rp_error *err) {
    for (size_t i = 0; name != NULL && rp_key_kind_at(i) != NULL; i++)
        if (strcmp(rp_key_kind_at(i)->name, name) == 0)
            return rp_key_kind_at(i);
    if (name == NULL)
        rp_fail(err, RP_E_USAGE, "keygen needs --type: ed25519 or p256");
    else
        rp_fail(err, RP_E_USAGE, "unknown --type \'%s\'; there are: ed25519 p256", name);
    return NULL;
}

/* Creates a file that was not there. */
static bool write_new(const char *path, mode_t mode, const struct rp_buf *text,
                      struct rp_error *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0 && errno == EEXIST)
        return rp_fail(err, RP_E_USAGE, "'%s' exists: keygen replaces no file", path) ||
               rp_hint(err, "give another name, or move it away");
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot write", path);
    bool ok = rp_write_all(fd, text->data, text->len) && fsync(fd) == 0;
    int why = errno;
    if (close(fd) == 0 && ok)
        return true;
    (void)unlink(path);
    return rp_fail_errno(err, ok ? errno : why, "cannot write", path);
}

/* The public key first: a pair of which one half exists already is noticed before it is secret. */
static bool write_pair(struct rp_arena *arena, const struct rp_key *key, const char *passphrase,
                       const char *path, struct rp_error *err) {
    struct rp_buf private = {.arena = arena}, public = {.arena = arena};
    const char *public_path =
        rp_has_suffix(path, ".pem")
            ? rp_format(arena, "%.*s.pub.pem", (int)(strlen(path) - strlen(".pem")), path)
            : rp_format(arena, "%s.pub.pem", path);
    if (!rp_key_write_private(key, passphrase, &private, err) ||
        !rp_key_write_public(key, &public, err) || !write_new(public_path, 0666, &public, err))
        return false;
    if (!write_new(path, 0600, &private, err)) {
        (void)unlink(public_path);
        return false;
    }
    char hash[2 * RELOC_SIG_KEY_HASH_BYTES + 1];
    rp_hex(hash, rp_key_hash(key), RELOC_SIG_KEY_HASH_BYTES);
    printf("private key  %s, %s, %s\n", rp_printable(arena, path), rp_key_kind(key)->shown,
           passphrase != NULL ? "encrypted" : "not encrypted");
    printf("public key   %s\n", rp_printable(arena, public_path));
    printf("key hash     %s\n", hash);
    return true;
}

static int run_keygen(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                      struct rp_error *err) {
    const struct keygen_options *options = given;
    const struct rp_key_kind *kind = find_kind(options->type, err);
    if (kind == NULL)
        return -1;
    if (arguments->count != 0 || options->output == NULL || strcmp(options->output, "-") == 0) {
        rp_fail(err, RP_E_USAGE, "keygen takes no arguments, and -o KEY.pem for the private key");
        return -1;
    }
    const char *passphrase = NULL;
    if (options->encrypt || options->passphrase_file != NULL) {
        passphrase = rp_new_passphrase(arena, options->passphrase_file, err);
        if (passphrase == NULL)
            return -1;
    }
    struct rp_key *key = rp_key_make(kind, err);
    bool ok = key != NULL && write_pair(arena, key, passphrase, options->output, err);
    rp_key_free(key);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_keygen = {
    "keygen",  "--type TYPE -o KEY.pem",      "Makes a pair of keys to sign images with",
    rows,      sizeof(struct keygen_options), NULL,
    run_keygen};
