/* SPDX-License-Identifier: Apache-2.0 */
/* Checking link and image against the objects: see check.h. */
#include "cli/pipeline/check.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "base/section_name.h"
#include "toolchain/calls/dwarf.h"

enum { SCRIPT_MAX = 1 << 20 };

/* A unit of the tool's own (entry glue or generated): nobody else may define its names. */
static bool is_own(const struct rp_package *package, const struct rp_unit *unit) {
    const char *templates = rp_path_join(package->arena, package->data_dir, "templates/");
    return rp_has_prefix(unit->source, templates) || strcmp(unit->source, "imports.S") == 0;
}

/* ---- names ---- */

/* A section that holds both values and zeros under one name is in the RAM as a whole. */
bool rp_package_write_placed(struct rp_package *package, struct rp_error *err) {
    struct rp_buf constants = {.arena = package->arena}, data = constants, zeros = constants;
    const struct rp_authored *authored = &package->linked.scan.authored;
    for (size_t i = 0; i < package->linked.scan.filled.count; i++) {
        const char *name = package->linked.scan.filled.items[i];
        if (rp_section_name_is_plain(name))
            rp_buf_printf(&data, "*(\"%s\")\n", name);
    }
    for (size_t i = 0; i < authored->names.count; i++) {
        const struct rp_authored_name *entry = &authored->names.items[i];
        if (!rp_authored_is_placed(authored, entry->name))
            continue;
        rp_buf_printf(&constants, "INPUT_SECTION_FLAGS(!SHF_WRITE) *(\"%s\")\n", entry->name);
        rp_buf_printf(entry->values ? &data : &zeros, "*(\"%s\")\n", entry->name);
    }
    return rp_build_write(&package->build, "constants.ld", constants.data, constants.len, err) &&
           rp_build_write(&package->build, "data.ld", data.data, data.len, err) &&
           rp_build_write(&package->build, "zeros.ld", zeros.data, zeros.len, err);
}

static bool find_reserved(struct rp_package *package, struct rp_error *err) {
    const struct rp_units *units = &package->build.units;
    struct rp_bytes script;
    const char *path =
        rp_path_join(package->arena, package->data_dir, package->model.dialect->image->script);
    if (!rp_file_read(package->arena, path, SCRIPT_MAX, &script, err))
        return false;
    package->linked.reserved = (struct rp_reserved){0};
    rp_reserved_add_script(&package->linked.reserved, package->arena, (const char *)script.data);
    for (size_t i = 0; i < units->count; i++)
        if (is_own(package, &units->items[i]) &&
            !rp_reserved_add_object(&package->linked.reserved, package->arena,
                                    rp_build_object(&package->build, &units->items[i]), err))
            return false;
    return true;
}

bool rp_package_check_names(struct rp_package *package, struct rp_error *err) {
    const struct rp_units *units = &package->build.units;
    const struct rp_strings *libraries = &package->model.code.libraries;
    struct rp_reserved_user user = {.allowed = package->model.dialect->image->kept};
    if (!find_reserved(package, err))
        return false;
    for (size_t i = 0; i < units->count; i++) {
        user.path = rp_build_object(&package->build, &units->items[i]);
        user.shown = rp_package_source_of(
            package, rp_format(package->arena, "obj/%03u.o", units->items[i].number));
        if (!is_own(package, &units->items[i]) && !units->items[i].waits &&
            !rp_reserved_check(&package->linked.reserved, package->arena, &user, err))
            return false;
    }
    package->linked.in_archive = (struct rp_error){0};
    for (size_t i = 0; i < libraries->count; i++) {
        user.path = user.shown = libraries->items[i];
        (void)rp_reserved_check(&package->linked.reserved, package->arena, &user,
                                &package->linked.in_archive);
    }
    return true;
}

bool rp_package_check_members(const struct rp_package *package, struct rp_error *err) {
    const struct rp_link_inputs *inputs = &package->placed.link.inputs;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object *object = &inputs->objects.items[i];
        const struct rp_reserved_user user = {.shown = object->file,
                                              .allowed = package->model.dialect->image->kept};
        if (!object->own && object->elf->member != NULL &&
            !rp_reserved_check_elf(&package->linked.reserved, object->elf, &user, err))
            return false;
    }
    return true;
}

/*
 * Variables among code: the compiler does not mark such a section, .text above all, as writable.
 * Only debug information tells these variables from constants.
 */
static bool check_variables(const struct rp_package *package, struct rp_error *err) {
    const struct rp_link_inputs *inputs = &package->placed.link.inputs;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object *object = &inputs->objects.items[i];
        const struct rp_elf *elf = object->elf;
        struct rp_strings names = {0};
        struct rp_declared_list found = {0};
        for (size_t k = 1; k < elf->symbol_count && !object->own; k++) {
            const struct rp_section *section = rp_symbol_section(elf, &elf->symbols[k]);
            if (elf->symbols[k].type == STT_OBJECT && section != NULL &&
                (section->flags & (SHF_EXECINSTR | SHF_WRITE)) == SHF_EXECINSTR)
                rp_strings_push(package->arena, &names, elf->symbols[k].name);
        }
        if (names.count != 0)
            rp_dwarf_read(package->arena, elf->path, &names, &found);
        for (size_t k = 0; k < found.count; k++) {
            const struct rp_declared *variable = &found.items[k];
            if (variable->type->kind == RP_CTYPE_FUNCTION || rp_ctype_is_const(variable->type) ||
                rp_ctype_element(variable->type)->kind == RP_CTYPE_UNKNOWN)
                continue;
            rp_fail(
                err, RP_E_LINK_CHECK,
                "%s: the variable '%s' lies in a section of code, where it could not be written",
                object->shown, variable->name);
            rp_fail_symbol(err, variable->name);
            return rp_hint(err, "make it const, or give it a section named .data.NAME, or none");
        }
    }
    return true;
}

bool rp_package_check_link(struct rp_package *package, struct rp_error *err) {
    const struct rp_units *units = &package->build.units;
    struct rp_link_object *objects = rp_alloc(package->arena, units->count + 1, sizeof *objects);
    size_t count = 0;
    for (size_t i = 0; i < units->count; i++) {
        const char *path = rp_format(package->arena, "obj/%03u.o", units->items[i].number);
        if (!units->items[i].waits)
            objects[count++] = (struct rp_link_object){path, rp_package_source_of(package, path),
                                                       is_own(package, &units->items[i])};
    }
    const struct rp_link_spec spec = {
        .inputs = {.linked = &package->linked.elf,
                   .map_text = package->linked.map_text,
                   .dir = package->build.dir,
                   .objects = objects,
                   .object_count = count},
        .format = package->format->checked,
        .constants = package->model.dialect->constants,
    };
    return rp_link_check(&package->placed.link, package->arena, &spec, err) &&
           check_variables(package, err);
}

/* ---- the image ---- */

static size_t own_words(struct rp_own_word *own, const struct rp_package *package,
                        const uint8_t *bytes, const struct rp_image_result *result) {
    return rp_own_words(own, &package->placed.layout, bytes, result->acts_size,
                        (uint32_t)rp_weights_size(&package->placed.weights));
}

const struct rp_package_format rp_package_cortex_m = {.has_heap = true, .own_words = own_words};

bool rp_package_check_image(const void *context, const uint8_t *bytes, size_t size,
                            const struct rp_image_result *result, struct rp_error *err) {
    const struct rp_package *package = context;
    const struct rp_layout *layout = &package->placed.layout;
    struct rp_own_word own[RP_OWN_WORDS];
    const struct rp_installed_spec spec = {
        .link = &package->placed.link,
        .image = bytes,
        .image_size = size,
        .header_bytes = rp_parts_header_bytes(&layout->parts),
        .own = own,
        .own_count = package->format->package->own_words(own, package, bytes, result),
        .weights_by_call = package->model.st_ai.vendor_table,
    };
    return rp_installed_check(&spec, err);
}
