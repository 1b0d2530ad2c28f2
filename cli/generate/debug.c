/* SPDX-License-Identifier: Apache-2.0 */
/* The files for a debugger: see debug.h. */
#include "cli/generate/debug.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "elfpack/image/debug.h"

enum { TEMPLATE_MAX = 1 << 20 };

/* For a GDB command: between quotes, with a backslash before what ends them. */
static void put_quoted(struct rp_buf *out, const char *path) {
    rp_buf_puts(out, "\"");
    for (; *path != '\0'; path++) {
        if (*path == '"' || *path == '\\')
            rp_buf_puts(out, "\\");
        rp_buf_append(out, path, 1);
    }
    rp_buf_puts(out, "\"");
}

/* No word is at an odd place: that stands for none. */
static void put_anchor(struct rp_buf *out, const char *part, const struct rp_debug_anchor *anchor) {
    rp_buf_printf(out, "  set $relocpack_%s_word = %d\n  set $relocpack_%s_offset = %d\n", part,
                  anchor->found ? (int)anchor->word : 1, part, (int)anchor->offset);
}

/* Two commands, whose names have the key. */
static void put_image(struct rp_buf *out, const struct rp_debug_facts *facts,
                      const uint8_t *build_id) {
    rp_buf_printf(out, "\ndefine relocpack-image-%08x\n", facts->key);
    rp_buf_printf(out, "  set $relocpack_words = %u\n  set $relocpack_step = %u\n", facts->words,
                  facts->step);
    rp_buf_printf(out, "  set $relocpack_code_hash = 0x%08xU\n", facts->code_hash);
    rp_buf_printf(out, "  set $relocpack_patched = %u\n", facts->patched);
    rp_buf_printf(out, "  set $relocpack_patched_end = %u\n", facts->patched_end);
    put_anchor(out, "weights", &facts->anchors[RP_DEBUG_WEIGHTS]);
    put_anchor(out, "acts", &facts->anchors[RP_DEBUG_ACTS]);
    for (unsigned i = 0; i < RELOC_BUILD_ID_BYTES / 4; i++)
        rp_buf_printf(out, "  set $relocpack_id%u = 0x%08xU\n", i, rp_get_le32(build_id + 4 * i));
    rp_buf_printf(out, "end\nset $relocpack_image_%08x = 1\n", facts->key);
}

/* The path is that of the finished file, so that it does not matter where the debugger runs. */
static bool put_file(struct rp_buf *out, struct rp_generation *run, const char *elf, uint32_t key,
                     struct rp_error *err) {
    const char *path = elf;
    if (!run->options->reproducible)
        path = rp_path_absolute(run->arena, rp_outputs_final(&run->outputs, elf), err);
    if (path == NULL)
        return false;
    if (strchr(path, '\n') != NULL) { /* what follows would be a command of its own */
        rp_fail(err, RP_E_USAGE, "--debug: no GDB command can have the line end in '%s'", path);
        return rp_hint(err, "--output and --name give other names");
    }
    rp_buf_printf(out, "\ndefine relocpack-file-%08x\n  relocpack-add ", key);
    put_quoted(out, path);
    rp_buf_puts(out, "\nend\n\nif $relocpack_confirm\n  set confirm on\nend\n");
    return true;
}

static bool write_script(struct rp_generation *run, const struct rp_debug_names *names,
                         const struct rp_debug_facts *facts, struct rp_error *err) {
    const char *path = rp_path_join(run->arena, run->package.data_dir, "templates/debug.gdb");
    struct rp_buf out = {.arena = run->arena};
    struct rp_bytes commands;
    if (!rp_file_read(run->arena, path, TEMPLATE_MAX, &commands, err))
        return false;
    rp_buf_printf(&out, RP_GDB_MADE_BY ": the debugger's commands for %s.\n", names->image);
    rp_buf_append(&out, commands.data, commands.size);
    put_image(&out, facts, run->report.image.build_id);
    return put_file(&out, run, names->elf, facts->key, err) &&
           rp_file_write(rp_outputs_add(&run->outputs, names->script), out.data, out.len, err);
}

bool rp_generation_write_debug(struct rp_generation *run, const struct rp_debug_names *names,
                               struct rp_error *err) {
    const struct rp_debug_spec spec = {
        .layout = &run->package.placed.layout,
        .image_path = rp_path_join(run->arena, run->outputs.stage, names->image),
        .build_id = run->report.image.build_id,
        .path = rp_outputs_add(&run->outputs, names->elf),
    };
    struct rp_debug_facts facts;
    return rp_debug_write(&spec, &facts, err) && write_script(run, names, &facts, err);
}
