/* SPDX-License-Identifier: Apache-2.0 */
/* Which sources of a folder are compiled: see sources.h. */
#include "cli/pipeline/sources.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "cli/terminal.h"
#include "toolchain/calls/offered.h"
#include "toolchain/cread/outline.h"

/* What is known of the sources of folders; it stays for all attempts. */
struct rp_sources {
    const struct rp_offered *offered;
    struct rp_strings paths;  /* by their position in offered */
    struct rp_strings unread; /* no dialect has to read them */
    bool *waits;
    bool *scanned; /* units by number - 1, whose object has been looked at */
    size_t units;
    bool libraries; /* they have been looked at */
};

/* Names that have to be found before anything is compiled, or that the linker is told of. */
static struct rp_strings roots_of(const struct rp_package *package) {
    const struct rp_model *model = &package->model;
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    struct rp_strings names = {0}, roots = {0};
    RP_PUSH_WORDS(package->arena, &names, model->entry.name, model->entry.called,
                  model->entry.typed_by, model->entry.init.name, model->entry.destroy.name,
                  model->weights.symbol);
    if (model->entry.name == NULL)
        RP_PUSH_WORDS(package->arena, &names, "entry", model->c_name);
    if (model->weights.symbol != NULL)
        rp_strings_push(package->arena, &names,
                        rp_format(package->arena, "%s_array_u64", model->weights.symbol));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            RP_PUSH_WORDS(package->arena, &names, lists[k]->items[i].get.name,
                          lists[k]->items[i].at);
    rp_strings_append(package->arena, &names, &model->entry.roots);
    for (size_t i = 0; i < names.count; i++)
        if (names.items[i] != NULL)
            rp_strings_push(package->arena, &roots, names.items[i]);
    return roots;
}

static struct rp_sources *read_sources(struct rp_package *package, struct rp_error *err) {
    const struct rp_strings *paths = &package->model.code.offered;
    const struct rp_strings *passed = package->build.options->passed;
    struct rp_sources *sources = rp_alloc(package->arena, 1, sizeof *sources);
    const struct rp_strings roots = roots_of(package);
    *sources = (struct rp_sources){0};
    if (passed != NULL && passed->count != 0) /* they may name folders of headers: CPATH */
        return sources;
    sources->offered = rp_offered_read(package->arena, paths, &package->compiled.flags.model, err);
    if (sources->offered == NULL)
        return err->id != 0 ? NULL : sources;
    rp_strings_append(package->arena, &sources->paths, paths);
    sources->waits = rp_alloc(package->arena, paths->count, sizeof *sources->waits);
    for (size_t i = 0; i < paths->count; i++) {
        sources->waits[i] = !rp_offered_is_unclear(sources->offered, i);
        for (size_t k = 0; sources->waits[i] && k < roots.count; k++)
            sources->waits[i] = !rp_offered_may_define(sources->offered, i, roots.items[k]);
        if (sources->waits[i])
            rp_strings_push(package->arena, &sources->unread, paths->items[i]);
    }
    rp_strings_sort(&sources->unread);
    return sources;
}

/* Tells the build which sources wait: those that are added, and units that are there. */
static void tell(struct rp_package *package) {
    const struct rp_sources *sources = package->sources;
    struct rp_build *build = &package->build;
    build->waiting = (struct rp_strings){0};
    for (size_t i = 0; i < sources->paths.count; i++)
        if (sources->waits[i])
            rp_strings_push(package->arena, &build->waiting, sources->paths.items[i]);
    rp_strings_sort(&build->waiting);
    for (size_t i = 0; i < build->units.count; i++)
        build->units.items[i].waits =
            build->units.items[i].waits &&
            rp_strings_have_sorted(&build->waiting, build->units.items[i].source);
}

bool rp_sources_offer(struct rp_package *package, struct rp_error *err) {
    if (package->options->build.dry_run || package->model.code.offered.count == 0)
        return true;
    if (package->sources == NULL)
        package->sources = read_sources(package, err);
    if (package->sources == NULL)
        return false;
    package->sources->units = 0; /* objects are looked at again: they may be others */
    package->build.unread = package->sources->unread;
    tell(package);
    return true;
}

bool rp_sources_wait(const struct rp_package *package) {
    return package->build.waiting.count != 0;
}

void rp_sources_take_all(struct rp_package *package) {
    package->sources->unread = (struct rp_strings){0};
    memset(package->sources->waits, 0, package->sources->paths.count * sizeof(bool));
    tell(package);
}

/* Takes the sources that may define one of the names; were there any? */
static bool take(struct rp_package *package, struct rp_strings *names) {
    struct rp_sources *sources = package->sources;
    bool more = false;
    rp_strings_sort(names);
    for (size_t i = 0; i < sources->paths.count; i++)
        for (size_t k = 0; sources->waits[i] && k < names->count; k++)
            if (rp_offered_may_define(sources->offered, i, names->items[k])) {
                sources->waits[i] = false;
                more = true;
            }
    if (more)
        tell(package);
    return more;
}

struct naming {
    struct rp_arena *arena;
    struct rp_strings *names;
};

static void say_progress(const struct rp_package *package) {
    size_t waiting = package->build.waiting.count, all = package->sources->paths.count;
    rp_progress(package->options->console.quiet,
                rp_format(package->arena, "compiling: %zu of %zu files of the folders are needed",
                          all - waiting, all));
}

/* Adds all names that objects see of each other: wanted, defined, weak. */
static bool add_names(const struct rp_elf *elf, void *context, struct rp_error *err) {
    const struct naming *naming = context;
    (void)err;
    for (size_t i = 1; i < elf->symbol_count; i++)
        if (elf->symbols[i].bind != STB_LOCAL && *elf->symbols[i].name != '\0')
            rp_strings_push(naming->arena, naming->names,
                            rp_strdup(naming->arena, elf->symbols[i].name));
    return true;
}

bool rp_sources_need(struct rp_package *package, bool *more, struct rp_error *err) {
    struct rp_sources *sources = package->sources;
    const struct rp_strings *libraries = &package->model.code.libraries;
    const struct rp_units *units = &package->build.units;
    struct rp_strings names = {0};
    struct naming naming = {package->arena, &names};
    *more = false;
    if (!rp_sources_wait(package))
        return true;
    if (sources->units != units->count) {
        sources->units = units->count;
        sources->scanned = rp_alloc(package->arena, units->count, sizeof *sources->scanned);
    }
    for (size_t i = 0; i < units->count; i++) {
        if (units->items[i].waits || units->items[i].later || sources->scanned[i])
            continue;
        sources->scanned[i] = true;
        if (!rp_elf_each(package->arena, rp_build_object(&package->build, &units->items[i]),
                         add_names, &naming, err))
            return false;
    }
    for (size_t i = 0; !sources->libraries && i < libraries->count; i++)
        if (!rp_elf_each(package->arena, libraries->items[i], add_names, &naming, err))
            return false;
    sources->libraries = true;
    *more = take(package, &names);
    if (*more)
        say_progress(package);
    return true;
}

bool rp_sources_miss(struct rp_package *package, const struct rp_elf *linked) {
    struct rp_strings names = {0};
    struct naming naming = {package->arena, &names};
    return rp_sources_wait(package) && add_names(linked, &naming, NULL) && take(package, &names);
}
