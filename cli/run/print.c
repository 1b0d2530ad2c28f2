/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a run: see print.h. */
#include "cli/run/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/document.h"
#include "cli/profile/json.h"
#include "cli/profile/text.h"
#include "cli/profile/write.h"
#include "cli/report/npu_names.h"
#include "cli/run/layers.h"
#include "cli/run/outputs.h"
#include "cli/tensors/record.h"
#include "cli/tensors/text.h"
#include "cli/version.h"
#include "toolchain/compile/board_file.h"

/* ---- figures ---- */

static const char *unit_of(const struct rp_run *run) {
    return run->board.counts_instructions ? "instructions" : "cycles";
}

static double ms_of(const struct rp_run *run, uint64_t count) {
    return 1000.0 * (double)count / (double)run->board.clock_hz;
}

static double per_second(const struct rp_run *run, uint64_t count) {
    return count != 0 ? (double)run->board.clock_hz / (double)count : 0;
}

struct range {
    uint64_t least, median, most;
};

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static struct range range_of(const struct rp_run *run, const struct rp_run_image *image) {
    const size_t count = image->inferences.count;
    uint64_t *counts = rp_alloc(run->arena, count + 1, sizeof *counts);
    for (size_t i = 0; i < count; i++)
        counts[i] = image->inferences.items[i].count;
    qsort(counts, count, sizeof *counts, by_size);
    return (struct range){counts[0], counts[count / 2], counts[count != 0 ? count - 1 : 0]};
}

static uint32_t stack_of(const struct rp_run_image *image) {
    uint32_t most = 0;
    for (size_t i = 0; i < image->inferences.count; i++)
        if (image->inferences.items[i].stack > most)
            most = image->inferences.items[i].stack;
    return most;
}

static const char *memory_name(const struct rp_run *run, struct rp_area area) {
    const struct rp_board_memory *memory = rp_board_holding(&run->board, area);
    return memory != NULL ? memory->name : "";
}

/* ---- text ---- */

/* With a comma between thousands, as the vendor's script writes numbers. */
static const char *commas(struct rp_arena *arena, uint64_t number) {
    const char *digits = rp_format(arena, "%llu", (unsigned long long)number);
    struct rp_buf out = {.arena = arena};
    for (size_t i = 0, len = strlen(digits); i < len; i++)
        rp_buf_printf(&out, "%s%c", i != 0 && (len - i) % 3 == 0 ? "," : "", digits[i]);
    return rp_buf_text(&out);
}

static void print_place(const struct rp_run *run, const char *what, struct rp_area area) {
    if (area.size != 0)
        printf(" %-14s: 0x%08x %10s bytes in %s\n", what, area.address,
               commas(run->arena, area.size), memory_name(run, area));
}

/* What the vendor's script says before it starts. */
static void print_head(const struct rp_run *run, const struct rp_run_image *image) {
    const struct rp_image_view *view = &image->subject.view;
    const struct rp_run_format *format = image->subject.format->run;
    const uint32_t flags = view->view.flags;
    struct rp_arena *arena = run->arena;
    printf("model info     : %s: size=%s\n", rp_printable(arena, image->subject.path),
           commas(arena, image->subject.file.size));
    printf("                 cpuid=0x%03x c_name='%s' '%s'%s\n", RELOC_FLAGS_CPUID(flags),
           rp_printable(arena, image->name), rp_toolchain_name(flags),
           format->runtime != NULL ? format->runtime(arena, view) : "");
    printf("                 acts/params=%s/%s xip/copy=%s/%s ext_ram=%s split=%s%s\n",
           commas(arena, view->view.acts_size), commas(arena, view->view.weights_size),
           commas(arena, view->needs.ram_xip), commas(arena, view->needs.ram_copy),
           commas(arena, view->npu.ext_ram_size), image->at.weights.size != 0 ? "True" : "False",
           format->security != NULL ? format->security(view) : "");
    printf("board          : '%s'\n", run->board.name);
    printf("mode           : ['%s']\n", image->is_copied ? "copy" : "xip");
    print_place(run, image->is_in_flash ? "flash@" : "image@", image->at.image);
    print_place(run, image->are_weights_in_flash ? "flash_params@" : "params@", image->at.weights);
    print_place(run, "exec_ram@", image->at.ram);
    print_place(run, "acts@", image->at.acts);
}

static void print_count(const struct rp_run *run, const char *what, uint64_t count) {
    printf("%-15s %15s  %12.3f\n", what, commas(run->arena, count), ms_of(run, count));
}

static void print_times(const struct rp_run *run, const struct rp_run_image *image) {
    const struct range range = range_of(run, image);
    const size_t count = image->inferences.count;
    printf("\n%-15s %15s  %12s\n", "", unit_of(run),
           run->board.counts_instructions ? "ms, 1 each" : "ms");
    print_count(run, "install", image->load.instructions);
    print_count(run, "init", image->init.instructions);
    print_count(run, count > 1 ? "inference, median" : "inference", range.median);
    if (count > 1) {
        print_count(run, "  least", range.least);
        print_count(run, "  most", range.most);
    }
    printf("%zu inference%s, %.2f inf/s; stack %s bytes, RAM %s, activations %s\n", count,
           count == 1 ? "" : "s", per_second(run, range.median),
           commas(run->arena, stack_of(image)), commas(run->arena, image->ram_high),
           commas(run->arena, image->acts_high));
    size_t changed = rp_run_changed(run, image);
    if (changed != 0)
        printf("run %zu computes something else than the first run of the same input: the model "
               "has a state\n",
               changed + 1);
}

/* A look without --profile may find no nodes. */
static bool has_layers(const struct rp_run_image *image) {
    const struct rp_layers *layers = image->layers;
    return layers != NULL && layers->profile != NULL &&
           (!layers->is_plain || layers->profile->parts.count != 0);
}

static void print_image(const struct rp_run *run, const struct rp_run_image *image) {
    struct rp_buf text = {.arena = run->arena};
    print_head(run, image);
    if (image->is_idle) {
        puts("sent, not run");
        return;
    }
    print_times(run, image);
    if (has_layers(image) && (image->layers->is_plain || run->options->profile)) {
        rp_buf_puts(&text, "\n");
        rp_profile_print(image->layers->profile, false, &text);
    }
    rp_assessment_text(&text, &image->assessment);
    fputs(rp_buf_text(&text), stdout);
}

/* ---- JSON ---- */

static void put_area(struct rp_json *object, const char *key, const struct rp_run *run,
                     struct rp_area area) {
    if (area.size != 0)
        rp_json_put(object, key,
                    RP_JSON_NEW(RP_JSON_W("address", area.address), RP_JSON_N("size", area.size),
                                RP_JSON_S("memory", memory_name(run, area))));
}

static struct rp_json *image_json(const struct rp_run *run, const struct rp_run_image *image) {
    struct rp_json *object =
        RP_JSON_NEW(RP_JSON_S("image", image->subject.path), RP_JSON_S("name", image->name),
                    RP_JSON_S("mode", image->is_copied ? "copy" : "xip"),
                    RP_JSON_B("flash", image->is_in_flash));
    if (image->subject.format->run->json != NULL)
        image->subject.format->run->json(object, run->arena, &image->subject.view);
    put_area(object, "image_at", run, image->at.image);
    put_area(object, "weights_at", run, image->at.weights);
    put_area(object, "ram_at", run, image->at.ram);
    put_area(object, "acts_at", run, image->at.acts);
    if (image->is_idle)
        return object;
    RP_JSON_PUT(object, RP_JSON_N("install", image->load.instructions),
                RP_JSON_N("init", image->init.instructions),
                RP_JSON_N("stack_bytes", stack_of(image)), RP_JSON_N("ram_bytes", image->ram_high),
                RP_JSON_N("acts_bytes", image->acts_high),
                RP_JSON_B("repeats_equal", rp_run_changed(run, image) == 0));
    struct rp_json *list = rp_json_new_array(object, "inferences");
    for (size_t i = 0; i < image->inferences.count; i++)
        rp_json_push_int(list, (int64_t)image->inferences.items[i].count);
    rp_json_put_double(object, "inferences_per_second",
                       per_second(run, range_of(run, image).median));
    if (has_layers(image))
        rp_profile_put(rp_json_new_object(object, "profile"), image->layers->profile);
    rp_record_put(object, run->arena, &image->assessment);
    return object;
}

static bool write_json(struct rp_run *run, struct rp_error *err) {
    struct rp_json *root =
        RP_JSON_PUT(rp_document("run", 1, "run"), RP_JSON_S("board", run->board.name),
                    RP_JSON_S("unit", unit_of(run)), RP_JSON_N("clock_hz", run->board.clock_hz));
    struct rp_json *images = rp_json_new_array(root, "images");
    for (size_t i = 0; i < run->images.count; i++)
        rp_json_push(images, image_json(run, &run->images.items[i]));
    char *text = rp_json_print(root);
    struct rp_outputs set;
    bool ok = rp_outputs_begin(&set, run->arena, NULL, err) &&
              rp_outputs_add_named(&set, run->options->json, text, strlen(text), err) &&
              rp_outputs_check(&set, err) && rp_outputs_commit(&set, err);
    if (!ok)
        rp_outputs_abort(&set);
    free(text);
    rp_json_free(root);
    return ok;
}

/* Files that must not be overwritten. */
static struct rp_strings files_of(const struct rp_run *run, const struct rp_run_image *image) {
    struct rp_strings files = rp_package_files(&image->layers->package);
    rp_strings_push(run->arena, &files, image->subject.path);
    rp_strings_push(run->arena, &files, rp_subject_report(&image->subject, run->arena));
    if (image->subject.weights_path != NULL)
        rp_strings_push(run->arena, &files, image->subject.weights_path);
    rp_strings_append(run->arena, &files, &run->options->given.inputs);
    rp_strings_append(run->arena, &files, &run->options->host_sources);
    return files;
}

static bool write_profile(struct rp_run *run, struct rp_error *err) {
    const struct rp_run_image *image = run->first;
    if (image == NULL || image->layers == NULL) /* sent, not run */
        return true;
    const struct rp_strings files = files_of(run, image);
    return rp_profile_write(image->layers->profile, run->options->profile_file, &files, err);
}

bool rp_run_print(struct rp_run *run, struct rp_error *err) {
    const bool json_on_stdout = run->options->json != NULL && strcmp(run->options->json, "-") == 0;
    for (size_t i = 0;
         !run->options->source.console.quiet && !json_on_stdout && i < run->images.count; i++) {
        if (i != 0)
            putchar('\n');
        print_image(run, &run->images.items[i]);
    }
    return (run->options->json == NULL || write_json(run, err)) &&
           (run->options->profile_file == NULL || write_profile(run, err));
}

static void add_cases(struct rp_run *run, const struct rp_run_image *image) {
    struct rp_arena *arena = run->arena;
    const char *group = rp_format(arena, "%s, %s", rp_path_base(image->subject.path),
                                  image->is_copied ? "COPY" : "XIP");
    for (size_t i = 0; i < image->inferences.count; i++) {
        const struct rp_inference *inference = &image->inferences.items[i];
        struct rp_case *one = RP_PUSH(arena, &run->options->diagnosed.cases);
        *one = (struct rp_case){.group = group,
                                .name = rp_format(arena, "input %zu, run %zu",
                                                  i / run->options->given.repeat + 1,
                                                  i % run->options->given.repeat + 1)};
        rp_strings_push(
            arena, &one->properties,
            rp_format(arena, "%s=%llu", unit_of(run), (unsigned long long)inference->count));
        rp_strings_push(arena, &one->properties,
                        rp_format(arena, "stack_bytes=%u", inference->stack));
    }
}

void rp_run_cases(struct rp_run *run) {
    for (size_t i = 0; i < run->images.count; i++)
        add_cases(run, &run->images.items[i]);
}
