/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tar archives that are not trusted: see tar.h. */
#include "base/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/path.h"

/* Far more than any generated model needs, but not more than a host's memory. */
enum { ENTRIES_MAX = 10000, BYTES_MAX = 512 << 20, BLOCK = 512 };

struct reading {
    struct rp_tar *tar;
    struct rp_arena *arena;
    const char *path;
    bool (*wanted)(const char *name);
    struct rp_bytes file;
    struct archive *archive;
    size_t entries;
    int64_t bytes; /* of all files, wanted or not: a small gzip file may expand a lot */
    struct rp_error *err;
};

static bool fail(const struct reading *read, const char *why) {
    return rp_fail(read->err, RP_E_INPUT, "cannot read '%s': %s", read->path, why);
}

static bool fail_entry(const struct reading *read, const char *name, const char *why) {
    return rp_fail(read->err, RP_E_INPUT, "cannot read '%s': its entry '%s' %s", read->path, name,
                   why);
}

/* Fails with the library's text, such as "Truncated input file". */
static bool fail_archive(const struct reading *read) {
    const char *why = archive_error_string(read->archive);
    return fail(read, rp_format(read->arena, "it is not a tar archive, or is damaged (%s)",
                                why != NULL ? why : "unknown format"));
}

/* Why a name is refused, or NULL. Names are later joined to a folder, and shown. */
static const char *check_name(const struct reading *read, const char *name) {
    if (name[0] == '/')
        return "has an absolute name";
    for (const char *part = name; *part != '\0'; part += *part == '/') {
        size_t len = strcspn(part, "/");
        if (len == 2 && memcmp(part, "..", 2) == 0)
            return "leads out of the folder";
        if (len == 0 || (len == 1 && *part == '.'))
            return "has a name with an empty part"; /* another name of the same file */
        part += len;
    }
    for (const char *c = name; *c != '\0'; c++)
        if (!isprint((unsigned char)*c))
            return "has a name that is not printable";
    for (size_t i = 0; i < read->tar->count; i++)
        if (strcmp(read->tar->items[i].name, name) == 0)
            return "occurs twice";
    return NULL;
}

/* Reads a file. The size in the header is not trusted: its bytes must all arrive. */
static bool take_bytes(struct reading *read, const char *name, size_t size) {
    uint8_t *data = rp_alloc(read->arena, size + 1, 1);
    for (size_t done = 0; done < size;) {
        la_ssize_t got = archive_read_data(read->archive, data + done, size - done);
        if (got < 0)
            return fail_archive(read);
        if (got == 0)
            return fail_entry(read, name, "is cut short");
        done += (size_t)got;
    }
    *RP_PUSH(read->arena, read->tar) =
        (struct rp_tar_file){rp_strdup(read->arena, name), {data, size}};
    return true;
}

static bool take_entry(struct reading *read, struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    if (name == NULL)
        return fail(read, "an entry has no readable name");
    while (rp_has_prefix(name, "./"))
        name += 2;
    const char *wrong = check_name(read, name);
    if (wrong != NULL)
        return fail_entry(read, name, wrong);
    if (archive_entry_filetype(entry) == AE_IFDIR)
        return true;
    if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != NULL)
        return fail_entry(read, name, "is neither a file nor a folder");
    int64_t size = archive_entry_size(entry);
    if (size < 0 || size > BYTES_MAX - read->bytes)
        return fail_entry(read, name, "makes the archive larger than 512 MiB");
    read->bytes += size;
    return !read->wanted(name) || take_bytes(read, name, (size_t)size);
}

/* A tar file truncated between two entries still looks valid, but its last block is not empty. */
static bool check_end(const struct reading *read) {
    const struct rp_bytes *all = &read->file;
    if (archive_filter_code(read->archive, 0) != ARCHIVE_FILTER_NONE)
        return true; /* the compressed stream has its own end and checksum */
    for (size_t i = all->size > BLOCK ? all->size - BLOCK : 0; i < all->size; i++)
        if (all->data[i] != 0)
            return fail(read, "it ends without the empty blocks that end a tar archive");
    return true;
}

static bool read_entries(struct reading *read) {
    struct archive_entry *entry;
    for (;;) {
        int status = archive_read_next_header(read->archive, &entry);
        if (status == ARCHIVE_EOF)
            return read->entries != 0 ? check_end(read) : fail(read, "it has no entries");
        if (status != ARCHIVE_OK)
            return fail_archive(read);
        if (++read->entries > ENTRIES_MAX)
            return fail(read, "it has more than 10000 entries");
        if (!take_entry(read, entry))
            return false;
    }
}

bool rp_tar_read(struct rp_tar *tar, struct rp_arena *arena, const char *path,
                 bool (*wanted)(const char *name), struct rp_error *err) {
    struct reading read = {.tar = tar, .arena = arena, .path = path, .wanted = wanted, .err = err};
    if (!rp_file_read(arena, path, BYTES_MAX, &read.file, err))
        return false;
    read.archive = archive_read_new();
    if (read.archive == NULL)
        rp_out_of_memory();
    archive_read_support_format_tar(read.archive);
    archive_read_support_filter_gzip(read.archive);
    bool ok = archive_read_open_memory(read.archive, read.file.data, read.file.size) == ARCHIVE_OK
                  ? read_entries(&read)
                  : fail_archive(&read);
    archive_read_free(read.archive);
    return ok;
}
