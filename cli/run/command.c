/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack run`: sends images to a board through a GDB server, installs and runs them there, and
 * shows times, memory and outputs. Everything that can be wrong is looked for before the first
 * write.
 */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/pipeline/open.h"
#include "cli/run/beside.h"
#include "cli/run/layers.h"
#include "cli/run/mode.h"
#include "cli/run/outputs.h"
#include "cli/run/place.h"
#include "cli/run/print.h"
#include "cli/run/runner.h"
#include "cli/run/session.h"
#include "cli/run/way.h"
#include "cli/source_rows.h"
#include "cli/tensors/file.h"
#include "cli/terminal.h"
#include "toolchain/compile/board_file.h"

#define DEFAULT_BOARD "stm32n6570-dk"         /* of the vendor's script */
#define DEFAULT_IMAGE "build/network_rel.bin" /* of the vendor's script */
enum { DEFAULT_TIMEOUT_S = 120, DEFAULT_STACK = 16 << 10 };

#define AT(member) offsetof(struct rp_run_options, member)

// clang-format off
static const struct rp_option rows[] = {
    {0, "board", RP_OPT_TEXT, AT(board), "BOARD", "board to run on: a name of `relocpack boards`, or a JSON file (default: the emulated board with the image's core; for a Neural-ART image, or with a server other than qemu, stm32n6570-dk)", NULL, .group = RP_HELP_BOARD},
    {0, "gdb", RP_OPT_TEXT, AT(way.gdb), "HOST:PORT", "GDB server that runs already; also unix:PATH or a serial device", NULL, .group = RP_HELP_BOARD},
    {0, "server", RP_OPT_TEXT, AT(way.server), "NAME|CMD", "GDB server to start and to end: qemu, openocd, pyocd, stlink, jlink, probe-rs or a command line (default: qemu for emulated boards, else stlink)", NULL, .group = RP_HELP_BOARD},
    {0, "probe", RP_OPT_TEXT, AT(way.probe), "SERIAL", "serial number of the debug probe", NULL, .group = RP_HELP_BOARD},
    {0, "firmware", RP_OPT_TEXT, AT(service.firmware), "ELF", "run the images in the firmware that the board runs already, which has relocpack_service.c in it; QEMU starts it", NULL, .group = RP_HELP_BOARD},
    {0, "mailbox", RP_OPT_TEXT, AT(service.mailbox), "ADDRESS", "the same, by the address of its relocpack_mailbox", NULL, .group = RP_HELP_BOARD},
    {0, "no-reset", RP_OPT_FLAG, AT(way.no_reset), NULL, "do not reset the board first: clocks and external memory stay as its firmware has set them up", NULL, .group = RP_HELP_BOARD},
    {0, "mode", RP_OPT_COMMAS, AT(modes), "LIST", "xip, copy, and with commas no-flash, no-overlay, no-run, ext (default: xip where the image allows it)", NULL, .group = RP_HELP_RUN},
    {'n', "name", RP_OPT_TEXT, AT(name), "NAME", "of several images, run only the one with this C name; the others are sent", NULL, .group = RP_HELP_RUN},
    {0, "weights", RP_OPT_LIST, AT(weights), "FILE", "weights file of a split image, one option for each such image (default: next to it)", NULL, .group = RP_HELP_RUN},
    {'i', "input", RP_OPT_LIST, AT(given.inputs), "FILE", "values of an input tensor, .bin, .npy or .csv, one option for each input (default: seeded numbers); an image is taken for an image to run", NULL, .group = RP_HELP_VALUES},
    {0, "input-type", RP_OPT_TEXT, AT(given.type), "TYPE", "type of the numbers in raw --input files, such as uint8 (default: the tensor's)", NULL, .group = RP_HELP_VALUES},
    {0, "seed", RP_OPT_NUMBER, AT(given.seed), "N", "seed of the generated inputs (default: 1)", NULL, .group = RP_HELP_VALUES},
    {0, "repeat", RP_OPT_NUMBER, AT(given.repeat), "N", "run each input N times (default: 1)", NULL, .group = RP_HELP_RUN},
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    RP_JUNIT_ROW(AT(diagnosed)),
    RP_ASSESS_ROWS(AT(assess)),
    {0, "address", RP_OPT_TEXT, AT(placed.address), "IMAGE[,WEIGHTS]", "where image and weights go; flash is programmed (default: chosen from the board's RAM)", NULL, .group = RP_HELP_BOARD},
    {0, "flash-at", RP_OPT_TEXT, AT(placed.flash), "IMAGE[,WEIGHTS]", "the same, and refused unless it is flash", NULL, .group = RP_HELP_BOARD},
    {0, "overlay", RP_OPT_FLAG, AT(placed.overlay), NULL, "several images share memory and run one after the other (the default)", NULL, .group = RP_HELP_BOARD},
    {0, "no-overlay", RP_OPT_FLAG, AT(placed.no_overlay), NULL, "several images are all installed, in memory of their own, before the first one runs", NULL, .group = RP_HELP_BOARD},
    {0, "stack", RP_OPT_SIZE, AT(stack_bytes), "SIZE", "stack of the model (default: 16K)", NULL, .group = RP_HELP_BOARD},
    {0, "clock", RP_OPT_NUMBER, AT(clock_hz), "HZ", "clock of the core (default: the board's after a reset)", NULL, .group = RP_HELP_BOARD},
    {0, "timeout", RP_OPT_NUMBER, AT(timeout_s), "SECONDS", "time limit of an inference, and of a server that says nothing useful (default: 120)", NULL, .group = RP_HELP_RUN},
    {0, "host-source", RP_OPT_LIST, AT(host_sources), "PATH", "C that defines what the image imports from the firmware: a file, or a folder with all its C files", NULL, .group = RP_HELP_INPUT},
    {0, "profile", RP_OPT_FLAG, AT(profile), NULL, "show which nodes and functions the time of a run is in", NULL, .group = RP_HELP_RUN},
    {0, "profile-file", RP_OPT_TEXT, AT(profile_file), "FILE", "the same into a file: NAME.json, NAME.md, or text", NULL, .group = RP_HELP_RUN},
    RP_TRUST_ROW(AT(trust_report)),
    {0, "json", RP_OPT_TEXT, AT(json), "FILE", "write the results as JSON; - is the standard output", NULL, .group = RP_HELP_REPORTS},
    {0, "cube-ide-dir", RP_OPT_TEXT, AT(ide_dir), "DIR", NULL, NULL},
    {0, "debug", RP_OPT_COUNT, AT(source.console.verbose), NULL, NULL, NULL},
    RP_TOOL_ROWS(struct rp_run_options),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

static void defaults(void *target) {
    struct rp_run_options *options = target;
    rp_source_defaults(&options->source);
    options->given.seed = 1;
    options->given.repeat = 1;
    options->timeout_s = DEFAULT_TIMEOUT_S;
}

/* ---- what the user named ---- */

static const struct rp_target *target_of(const struct rp_board *board, struct rp_error *err) {
    bool is_core = rp_has_prefix(board->series, "cortex-");
    return rp_target_find(is_core ? NULL : board->series, is_core ? board->series : NULL, err);
}

/* Takes the emulated board that has the image's core, and notes which one that is. */
static bool find_emulated(struct rp_run *run, const char *data, const char *path,
                          struct rp_error *err) {
    struct rp_subject subject;
    struct rp_strings files = {0};
    bool ok = rp_subject_open_image(&subject, run->arena, path, err);
    const uint32_t part = ok ? RELOC_FLAGS_CPUID(subject.view.view.flags) : 0;
    const bool is_emulated = ok && !subject.format->run->needs_firmware;
    rp_subject_close(&subject);
    if (!ok || !rp_board_files(&files, run->arena, data, err))
        return false;
    for (size_t i = 0; is_emulated && i < files.count; i++) {
        const struct rp_target *target;
        if (!rp_board_read(&run->board, run->arena, files.items[i], err))
            return false;
        if (rp_board_for_server(&run->board, "machine") == NULL ||
            (target = target_of(&run->board, NULL)) == NULL || target->core->part != part)
            continue;
        rp_diagnose(run->arena, &run->options->diagnosed.list, "RP1075",
                    rp_format(run->arena,
                              "no --board was given: running on the emulated board %s (%s)",
                              run->board.name, run->board.title));
        return true;
    }
    if (!is_emulated)
        return rp_board_find_any(&run->board, run->arena, data, DEFAULT_BOARD, err);
    rp_fail(err, RP_E_BOARD, "no emulated board has the core of '%s' (part number 0x%03x)", path,
            part);
    return rp_hint(err, "--board names another one: relocpack boards lists those that are known");
}

/* images: at least one; the first decides when no board is named. */
static bool open_board(struct rp_run *run, const struct rp_strings *images, struct rp_error *err) {
    const struct rp_run_options *options = run->options;
    const char *data = rp_data_dir(run->arena, err);
    if (data == NULL)
        return false;
    bool has_way = options->way.gdb != NULL || options->way.probe != NULL || run->is_beside ||
                   (options->way.server != NULL && strcmp(options->way.server, "qemu") != 0);
    const char *name = options->board != NULL ? options->board : DEFAULT_BOARD;
    if (options->board == NULL && !has_way
            ? !find_emulated(run, data, images->items[0], err)
            : !rp_board_find_any(&run->board, run->arena, data, name, err))
        return false;
    if (run->options->clock_hz != 0)
        run->board.clock_hz = run->options->clock_hz;
    run->target = target_of(&run->board, err);
    return run->target != NULL;
}

/* Is the image for this board's core? The loader asks the same, but after it has been sent. */
static bool check_target(const struct rp_run *run, const struct rp_subject *subject,
                         struct rp_error *err) {
    const uint32_t flags = subject->view.view.flags;
    if (subject->format->run->needs_firmware && !run->is_beside) {
        rp_fail(err, RP_E_BOARD,
                "'%s' is a %s image, which runs beside a firmware that "
                "has set up the NPU",
                subject->path, subject->format->image->title);
        return rp_hint(err, "--firmware ELF names one that has relocpack_service.c in it "
                            "(generate --service); verify runs the image on an emulated core");
    }
    if (RELOC_FLAGS_CPUID(flags) != run->target->core->part)
        return rp_fail(err, RP_E_BOARD,
                       "'%s' is for a core with part number 0x%03x, the board %s has a Cortex-%s "
                       "(0x%03x)",
                       subject->path, RELOC_FLAGS_CPUID(flags), run->board.name,
                       run->target->core->label, run->target->core->part);
    return RELOC_FLAGS_FPU(flags) == 0 || run->target->fpu != NULL ||
           rp_fail(err, RP_E_BOARD, "'%s' needs an FPU, the board %s has none", subject->path,
                   run->board.name);
}

/* XIP unless the user or the image wants COPY. */
static void choose_mode(const struct rp_run *run, struct rp_run_image *image) {
    const bool needs_copy = image->subject.view.needs.copy;
    image->is_copied = run->mode.copy || needs_copy;
    if (needs_copy && run->mode.xip)
        rp_diagnose(run->arena, &run->options->diagnosed.list, "RP1072",
                    rp_format(run->arena, "'%s' cannot run in place: it runs in COPY mode",
                              image->subject.path));
}

/* Which images are run. Names are the users' only if they tell the images apart. */
static bool choose_images(struct rp_run *run, struct rp_error *err) {
    const char *name = run->options->name;
    struct rp_buf names = {.arena = run->arena};
    size_t named = 0;
    for (size_t i = 0; i < run->images.count; i++) {
        struct rp_run_image *image = &run->images.items[i];
        const bool is_named = name == NULL || strcmp(name, image->name) == 0;
        named += is_named;
        image->is_idle = run->mode.no_run || !is_named;
        run->running += !image->is_idle;
        if (run->first == NULL && !image->is_idle)
            run->first = image;
        rp_buf_printf(&names, "%s'%s'", i != 0 ? ", " : "", image->name);
    }
    if (name == NULL || named == 1)
        return true;
    return rp_fail(err, RP_E_USAGE,
                   "--name '%s': %zu of the images have this C name, there are: %s", name, named,
                   rp_buf_text(&names));
}

static bool open_images(struct rp_run *run, const struct rp_strings *paths, struct rp_error *err) {
    size_t weights = 0;
    for (size_t i = 0; i < paths->count; i++) {
        struct rp_run_image *image = RP_PUSH(run->arena, &run->images);
        *image = (struct rp_run_image){0};
        const struct rp_strings *given = &run->options->weights;
        const char *file = weights < given->count ? given->items[weights] : NULL;
        if (!rp_subject_open(&image->subject, run->arena, paths->items[i], file, err) ||
            !check_target(run, &image->subject, err))
            return false;
        image->name = (const char *)image->subject.file.data + image->subject.view.view.c_name;
        choose_mode(run, image);
        uint64_t size = 0;
        if (image->subject.weights_path != NULL) {
            weights += file != NULL;
            if (!rp_file_size(image->subject.weights_path, &size, err))
                return false;
        }
        image->at.weights.size = (uint32_t)size;
    }
    if (weights != run->options->weights.count)
        return rp_fail(err, RP_E_USAGE, "--weights was given %zu times, %zu of the images need it",
                       run->options->weights.count, weights);
    return choose_images(run, err);
}

/* Files of --input that are images are images, as in the vendor's script. */
static void sort_inputs(struct rp_run *run, const struct rp_strings *arguments,
                        struct rp_strings *images) {
    struct rp_strings inputs = {0};
    const struct rp_strings given = run->options->given.inputs;
    for (size_t i = 0; i < given.count; i++)
        rp_strings_push(run->arena, rp_subject_is_image(given.items[i]) ? images : &inputs,
                        given.items[i]);
    rp_strings_append(run->arena, images, arguments);
    run->options->given.inputs = inputs;
}

/* ---- running ---- */

/* Two runs of the same inputs have the same text, which comparisons ask for. */
static const char *text_of_inputs(const struct rp_run *run) {
    char sha256[2 * RELOC_SHA256_BYTES + 1];
    if (run->inputs.samples == NULL)
        return rp_format(run->arena, "seed %u", run->options->given.seed);
    struct rp_digest *digest = rp_digest_new();
    for (uint32_t sample = 0; sample < run->inputs.count; sample++)
        for (size_t i = 0; i < run->options->given.inputs.count; i++) {
            const struct rp_samples *given = &run->inputs.samples[i];
            const size_t size = given->bytes.size / run->inputs.count;
            rp_digest_add(digest, given->bytes.data + sample * size, size);
        }
    const struct rp_sum sum = rp_digest_sum(digest);
    rp_digest_free(digest);
    rp_hex(sha256, sum.sha256, sizeof sum.sha256);
    return rp_format(run->arena, "sha256 %s", sha256);
}

/* The values of --input, once the tensors are known. */
static bool read_inputs(struct rp_run *run, const struct rp_run_image *image,
                        struct rp_error *err) {
    const struct rp_strings *files = &run->options->given.inputs;
    struct rp_diagnostics told = {0};
    const struct rp_dtype *type = rp_input_type(run->options->given.type, files, err);
    if (type == NULL && run->options->given.type != NULL)
        return false;
    run->inputs.text = text_of_inputs(run);
    rp_assess_note(run->arena, &run->options->assess, files->count != 0, run->options->given.seed,
                   &told);
    if (files->count == 0) {
        rp_tell_notes(run->arena, &run->options->diagnosed.list, &told,
                      run->options->source.console.quiet);
        return true;
    }
    if (files->count != image->inputs.count)
        return rp_fail(err, RP_E_USAGE, "'%s' has %zu inputs, --input was given %zu times",
                       image->subject.path, image->inputs.count, files->count);
    run->inputs.samples = rp_alloc(run->arena, files->count, sizeof *run->inputs.samples);
    for (size_t i = 0; i < files->count; i++) {
        run->inputs.samples[i] = (struct rp_samples){
            .tensor = &image->inputs.items[i], .path = files->items[i], .raw = type};
        if (!rp_input_read(run->arena, &run->inputs.samples[i], err))
            return false;
        if (i != 0 && run->inputs.samples[i].count != run->inputs.count)
            return rp_fail(err, RP_E_INPUT, "'%s' holds %u inputs, '%s' holds %u", files->items[i],
                           run->inputs.samples[i].count, files->items[0], run->inputs.count);
        run->inputs.count = run->inputs.samples[i].count;
        rp_samples_note(run->arena, &run->inputs.samples[i], &told);
    }
    rp_tell_notes(run->arena, &run->options->diagnosed.list, &told,
                  run->options->source.console.quiet);
    run->inputs.text = text_of_inputs(run);
    return true;
}

static bool deploy(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    rp_progress(run->options->source.console.quiet,
                rp_format(run->arena, "sending %s", rp_path_base(image->subject.path)));
    return rp_session_deploy(run, image, err);
}

static bool install_and_infer(struct rp_run *run, struct rp_run_image *image,
                              struct rp_error *err) {
    const bool is_shown = !run->options->source.console.quiet || run->options->json != NULL;
    if (is_shown)
        rp_layers_plain(run, image);
    return read_inputs(run, image, err) && rp_session_infer(run, image, err);
}

/* Twins come last: they take the place of images. */
static bool profile_all(struct rp_run *run, struct rp_error *err) {
    for (unsigned twins = 0; twins < 2; twins++)
        for (size_t i = 0; i < run->images.count; i++) {
            struct rp_run_image *image = &run->images.items[i];
            if (image->layers != NULL && (rp_layers_twin(image) != NULL) == (twins == 1) &&
                !rp_layers_run(run, image, err))
                return false;
        }
    return true;
}

/* One image after the other in the same memory, or all of them in memory of their own. */
static bool run_images(struct rp_run *run, struct rp_error *err) {
    for (size_t i = 0; i < run->images.count; i++) {
        struct rp_run_image *image = &run->images.items[i];
        if (!deploy(run, image, err) || (!image->is_idle && !rp_session_install(run, image, err)))
            return false;
        if (image->is_idle || run->mode.no_overlay)
            continue;
        if (!install_and_infer(run, image, err) || !rp_session_destroy(run, image, err) ||
            (image->layers != NULL && !rp_layers_run(run, image, err)))
            return false;
    }
    for (size_t i = 0; run->mode.no_overlay && i < run->images.count; i++)
        if (!run->images.items[i].is_idle && !install_and_infer(run, &run->images.items[i], err))
            return false;
    for (size_t i = 0; run->mode.no_overlay && i < run->images.count; i++)
        if (!run->images.items[i].is_idle && !rp_session_destroy(run, &run->images.items[i], err))
            return false;
    return !run->mode.no_overlay || profile_all(run, err);
}

static bool build_layers(struct rp_run *run, struct rp_error *err) {
    const bool profile = run->options->profile || run->options->profile_file != NULL;
    for (size_t i = 0; profile && i < run->images.count; i++)
        if (!run->images.items[i].is_idle && !rp_layers_build(run, &run->images.items[i], err))
            return false;
    return true;
}

/* What the runner, and twins of images, take of the board is known before it is touched. */
static bool build(struct rp_run *run, struct rp_error *err) {
    rp_space_of_ram(&run->space, &run->board, run->options->way.no_reset, RP_RUN_GUARD);
    rp_progress(run->options->source.console.quiet, "building");
    if (run->options->stack_bytes == 0)
        run->options->stack_bytes = DEFAULT_STACK;
    return build_layers(run, err) && rp_runner_build(run, err) && rp_run_place(run, err);
}

static bool run_on_board(struct rp_run *run, struct rp_error *err) {
    const bool quiet = run->options->source.console.quiet;
    rp_progress(quiet, "connecting");
    bool ok = rp_way_begin(run, err) &&
              (run->is_beside ? rp_beside_begin(run, err) && rp_run_place(run, err)
                              : rp_runner_start(run, err)) &&
              run_images(run, err);
    rp_progress(quiet, "");
    rp_way_end(run);
    return ok;
}

static bool run_all(struct rp_run *run, const struct rp_strings *arguments, struct rp_error *err) {
    struct rp_strings images = {0};
    sort_inputs(run, arguments, &images);
    if (images.count == 0 && rp_path_is_file(DEFAULT_IMAGE))
        rp_strings_push(run->arena, &images, DEFAULT_IMAGE);
    if (images.count == 0)
        return rp_fail(err, RP_E_USAGE, "run takes at least one image file");
    if (run->options->given.repeat == 0)
        return rp_fail(err, RP_E_USAGE,
                       "--repeat 0 runs nothing: --mode no-run installs images only");
    if (run->options->placed.overlay && run->options->placed.no_overlay)
        return rp_fail(err, RP_E_USAGE, "--overlay and --no-overlay exclude each other");
    run->is_beside =
        run->options->service.firmware != NULL || run->options->service.mailbox != NULL;
    if (!rp_output_is_possible(run->options->json, err) ||
        !rp_output_is_possible(run->options->profile_file, err) ||
        !rp_assess_possible(&run->options->assess, NULL, err) || !rp_run_read_mode(run, err) ||
        !open_board(run, &images, err) || !open_images(run, &images, err))
        return false;
    if (run->options->profile_file != NULL && run->running > 1)
        return rp_fail(err, RP_E_USAGE, "--profile-file is for one image");
    if (!run->options->source.console.quiet)
        rp_print_notes(run->arena, &run->options->diagnosed.list);
    rp_way_choose(run);
    return (run->is_beside ? rp_beside_open(run, err) && build_layers(run, err)
                           : build(run, err)) &&
           run_on_board(run, err) && (run->first == NULL || rp_run_assess(run, err)) &&
           rp_run_print(run, err) && (run->first == NULL || rp_run_judge(run, err));
}

static int run_run(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                   struct rp_error *err) {
    struct rp_run *run = rp_alloc(arena, 1, sizeof *run);
    run->options = given;
    run->arena = arena;
    run->inputs.count = 1;
    bool ok = run_all(run, arguments, err);
    rp_run_cases(run); /* also those before a failure */
    rp_progress(run->options->source.console.quiet || ok, "");
    for (size_t i = 0; i < run->images.count; i++) {
        rp_layers_close(&run->images.items[i]);
        rp_subject_close(&run->images.items[i].subject);
    }
    rp_build_end(&run->build);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_run = {
    "run",
    "[options] IMAGE...",
    "Runs images on a board, through a GDB server",
    rows,
    sizeof(struct rp_run_options),
    defaults,
    run_run,
    "board gdb server firmware mode repeat profile weights input reference expected tolerance "
    "address host-source json quiet verbose"};
