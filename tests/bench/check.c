/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the checks of a link and of an image alone, on a workspace that `generate` left: names,
 * the linked file against its objects, the installed image against them. usage: check RUNS
 * LIMIT_MIB SCRIPT DIR IMAGE OBJECT... DIR has image.elf, image.map and the objects; IMAGE is
 * written; SCRIPT is the linker's. Prints the least CPU time of some runs in microseconds, and the
 * anonymous memory in KiB when the checks end. LIMIT_MIB limits writable private memory, not
 * counting mapped files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/file.h"
#include "base/path.h"
#include "elfpack/image/image.h"
#include "elfpack/check/installed.h"
#include "elfpack/elf/reserved.h"

struct run {
    struct rp_arena arena;
    const char *script, *dir, *image;
    char **objects;
    int object_count;
    struct rp_elf elf;
    struct rp_linkmap map;
    struct rp_bytes text;
    struct rp_layout layout;
    struct rp_link link;
    long long microseconds, anonymous;
};

static long long now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (long long)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static long long anonymous_kib(void) {
    char line[256];
    long long found = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "RssAnon:", 8) == 0)
            found = strtoll(line + 8, NULL, 10);
    if (file != NULL)
        (void)fclose(file);
    return found;
}

static bool open_files(struct run *run, struct rp_error *err) {
    struct rp_arena *arena = &run->arena;
    if (!rp_file_read(arena, rp_path_join(arena, run->dir, "image.map"), 64 << 20, &run->text,
                      err) ||
        !rp_elf_open(&run->elf, arena, rp_path_join(arena, run->dir, "image.elf"), err))
        return false;
    rp_linkmap_parse(&run->map, arena, (const char *)run->text.data);
    return rp_layout_make(
        &run->layout, arena,
        &(struct rp_linked){.elf = &run->elf, .map = &run->map, .format = &rp_format_cortex_m},
        err);
}

static bool check_names(struct run *run, struct rp_error *err) {
    struct rp_reserved reserved = {0};
    struct rp_bytes script;
    if (!rp_file_read(&run->arena, run->script, 1 << 20, &script, err))
        return false;
    rp_reserved_add_script(&reserved, &run->arena, (const char *)script.data);
    for (int i = 0; i < run->object_count; i++) {
        const char *path = rp_path_join(&run->arena, run->dir, run->objects[i]);
        const struct rp_reserved_user user = {.path = path, .shown = path};
        struct rp_error glue = {0}; /* the glue is among the objects and has names of its own */
        if (!rp_reserved_check(&reserved, &run->arena, &user, &glue) && glue.id != RP_E_RESERVED) {
            *err = glue;
            return false;
        }
    }
    return true;
}

static bool check_link(struct run *run, struct rp_error *err) {
    struct rp_link_object *objects =
        rp_alloc(&run->arena, (size_t)run->object_count + 1, sizeof *objects);
    for (int i = 0; i < run->object_count; i++)
        objects[i] = (struct rp_link_object){run->objects[i], run->objects[i], true};
    const struct rp_link_spec spec = {.inputs = {.linked = &run->elf,
                                                 .map_text = (const char *)run->text.data,
                                                 .dir = run->dir,
                                                 .objects = objects,
                                                 .object_count = (size_t)run->object_count},
                                      .format = &rp_checked_cortex_m};
    return check_names(run, err) && rp_link_check(&run->link, &run->arena, &spec, err);
}

static bool check_image(const void *context, const uint8_t *bytes, size_t size,
                        const struct rp_image_result *result, struct rp_error *err) {
    struct run *run = *(struct run *const *)context;
    struct rp_own_word own[RP_OWN_WORDS];
    size_t own_count =
        rp_own_words(own, &run->layout, bytes, result->acts_size, result->weights_size);
    const struct rp_installed_spec spec = {.link = &run->link,
                                           .image = bytes,
                                           .image_size = size,
                                           .header_bytes =
                                               rp_parts_header_bytes(&run->layout.parts),
                                           .own = own,
                                           .own_count = own_count};
    long long start = now();
    bool ok = rp_installed_check(&spec, err);
    run->microseconds += now() - start;
    run->anonymous = anonymous_kib();
    return ok;
}

static bool write_image(struct run *run, struct rp_error *err) {
    const struct rp_section *weights = run->layout.parts.weights;
    struct rp_image_result result;
    struct rp_image_spec spec = {.layout = &run->layout,
                                 .acts_size = run->layout.parts.bounds.acts_size,
                                 .weights_size = run->layout.parts.bounds.weights_size,
                                 .image_path = run->image,
                                 .check = {check_image, &run}};
    if (weights != NULL)
        spec.weights =
            (struct rp_weights_source){run->elf.path, weights->file_offset, weights->size};
    return rp_image_write(&spec, &result, err);
}

static bool check_once(struct run *run, struct rp_error *err) {
    bool ok = open_files(run, err);
    long long start = now();
    ok = ok && check_link(run, err);
    run->microseconds = now() - start;
    ok = ok && write_image(run, err);
    rp_link_close(&run->link);
    rp_elf_close(&run->elf);
    rp_arena_release(&run->arena);
    return ok;
}

int main(int argc, char **argv) {
    struct rp_error err = {0};
    long long least = -1, anonymous = 0;
    if (argc < 7) {
        fputs("usage: check RUNS LIMIT_MIB SCRIPT DIR IMAGE OBJECT...\n", stderr);
        return 2;
    }
    rlim_t limit = (rlim_t)strtoul(argv[2], NULL, 10) << 20;
    if (setrlimit(RLIMIT_DATA, &(struct rlimit){limit, limit}) != 0)
        return 2;
    for (long i = strtol(argv[1], NULL, 10); i > 0; i--) {
        struct run run = {.script = argv[3],
                          .dir = argv[4],
                          .image = argv[5],
                          .objects = argv + 6,
                          .object_count = argc - 6,
                          .elf = {.fd = -1}};
        if (!check_once(&run, &err)) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
        least = least < 0 || run.microseconds < least ? run.microseconds : least;
        anonymous = run.anonymous > anonymous ? run.anonymous : anonymous;
    }
    printf("%lld %lld\n", least, anonymous);
    return 0;
}
