/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `generate`: see options.h. */
#include "cli/generate/options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/path.h"
#include "cli/source_rows.h"
#include "toolchain/compile/compiler.h"

#define AT(member) offsetof(struct rp_generate_options, member)

// clang-format off
const struct rp_option rp_generate_rows[] = {
    {'i', "input", RP_OPT_TEXT, AT(source.input.path), "PATH", RP_MODEL_HELP " (default: st_ai_output); -m, --model is the vendor's name for it", NULL, .group = RP_HELP_INPUT, .brief = "generated C: file, folder, archive or manifest"},
    RP_MODEL_ROW(struct rp_generate_options, NULL),
    RP_SOURCE_ROWS(struct rp_generate_options),
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    RP_MODEL_WEIGHTS_ROW(struct rp_generate_options),
    {0, "st-neural-art", RP_OPT_PASSED, AT(stedgeai), "[PROFILE@FILE]", "the input is a model file for --generator stedgeai: an option of stedgeai generate, like the others of this row", NULL, .group = RP_HELP_VENDOR},
    {'c', "compression", RP_OPT_PASSED, AT(stedgeai), "LEVEL", NULL, NULL},
    {'O', "optimization", RP_OPT_PASSED, AT(stedgeai), "OBJ", NULL, NULL},
    {0, "allocate-inputs", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "allocate-outputs", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "no-inputs-allocation", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "no-outputs-allocation", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "input-memory-alignment", RP_OPT_PASSED, AT(stedgeai), "N", NULL, NULL},
    {0, "output-memory-alignment", RP_OPT_PASSED, AT(stedgeai), "N", NULL, NULL},
    {0, "memory-pool", RP_OPT_PASSED, AT(stedgeai), "FILE", NULL, NULL},
    {0, "split-weights", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "binary", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "c-api", RP_OPT_PASSED, AT(stedgeai), "API", NULL, NULL},
    {'t', "type", RP_OPT_PASSED, AT(stedgeai), "TYPE", NULL, NULL},
    {0, "input-data-type", RP_OPT_PASSED, AT(stedgeai), "TYPE", NULL, NULL},
    {0, "output-data-type", RP_OPT_PASSED, AT(stedgeai), "TYPE", NULL, NULL},
    {0, "inputs-ch-position", RP_OPT_PASSED, AT(stedgeai), "POSITION", NULL, NULL},
    {0, "outputs-ch-position", RP_OPT_PASSED, AT(stedgeai), "POSITION", NULL, NULL},
    {0, "no-onnx-optimizer", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "use-onnx-simplifier", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "fix-parametric-shapes", RP_OPT_PASSED, AT(stedgeai), "SHAPES", NULL, NULL},
    {0, "prefetch-compressed-weights", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "allocate-activations", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "allocate-states", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "cut-input-tensors", RP_OPT_PASSED, AT(stedgeai), "NAMES", NULL, NULL},
    {0, "cut-output-tensors", RP_OPT_PASSED, AT(stedgeai), "NAMES", NULL, NULL},
    {0, "cut-input-layers", RP_OPT_PASSED, AT(stedgeai), "NAMES", NULL, NULL},
    {0, "cut-output-layers", RP_OPT_PASSED, AT(stedgeai), "NAMES", NULL, NULL},
    {0, "enable-epoch-controller", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "eec", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "no-report", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "no-workspace", RP_OPT_PASSED, AT(stedgeai), NULL, NULL, NULL},
    {0, "import-from", RP_OPT_TEXT, AT(source.input.import_from), "ELF", "a firmware with a table of `relocpack exports`: what the model needs of it is imported", NULL, .group = RP_HELP_INPUT},
    {'r', "relocatable", RP_OPT_COMMAS, AT(reloc), "[LIST]", "comma-separated choices: split (weights in a file of their own), gen-c-file (image also as a C array), gen-c-weights (a weights file, too), copy-only (accept code that is not position-independent), compact (smaller list of words to rebase), llvm or st-clang (clang instead of gcc), custom[=FILE] (same as --custom); for Neural-ART only: no-secure (non-secure firmware), no-dbg-info (no debugging information), polling (firmware with LL_ATON_RT_POLLING), ecblob-in-params (blobs among the parameters)", NULL, .group = RP_HELP_OUTPUT, .brief = "split, gen-c-file, copy-only, compact, llvm, …"},
    {0, "reloc", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "relocate", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "split", RP_OPT_ADD, AT(reloc), NULL, "same as -r split; the other items of -r are options as well", "split", .group = RP_HELP_OUTPUT},
    {0, "gen-c-file", RP_OPT_ADD, AT(reloc), NULL, NULL, "gen-c-file"},
    {0, "gen-c-weights", RP_OPT_ADD, AT(reloc), NULL, NULL, "gen-c-weights"},
    {0, "copy-only", RP_OPT_ADD, AT(reloc), NULL, NULL, "copy-only"},
    {0, "compact", RP_OPT_ADD, AT(reloc), NULL, NULL, "compact"},
    {0, "no-secure", RP_OPT_ADD, AT(reloc), NULL, NULL, "no-secure"},
    {0, "no-dbg-info", RP_OPT_ADD, AT(reloc), NULL, NULL, "no-dbg-info"},
    {0, "polling", RP_OPT_ADD, AT(reloc), NULL, NULL, "polling"},
    {0, "ecblob-in-params", RP_OPT_ADD, AT(reloc), NULL, NULL, "ecblob-in-params"},
    {0, "llvm", RP_OPT_ADD, AT(reloc), NULL, NULL, "llvm"},
    {0, "st-clang", RP_OPT_ADD, AT(reloc), NULL, NULL, "st-clang"},
    {0, "compatible-mode", RP_OPT_FLAG, AT(source.input.npu.compatible), NULL, "Neural-ART with -r llvm: enums as short as those of gcc and Arm's compilers", NULL, .group = RP_HELP_COMPILER},
    {'o', "output", RP_OPT_TEXT, AT(output), "DIR", "folder for the finished files (default: build)", NULL, .group = RP_HELP_OUTPUT},
    {0, "no-c-files", RP_OPT_FLAG, AT(files.no_c), NULL, "write neither NAME_rel.h nor C arrays; the loader is written", NULL, .group = RP_HELP_OUTPUT},
    {0, "loader-sources", RP_OPT_FLAG, AT(files.loader_sources), NULL, "write the loader as separate parts instead of one source and one header", NULL, .group = RP_HELP_OUTPUT},
    {0, "service", RP_OPT_FLAG, AT(files.service), NULL, "also write relocpack_service.c and .h: a firmware that has them runs images for `relocpack run --firmware`", NULL, .group = RP_HELP_OUTPUT},
    {0, "debug", RP_OPT_FLAG, AT(source.input.debug), NULL, "also write NAME_rel.elf, the image with debug information, and NAME_rel.gdb, GDB commands that load it for an instance", NULL, .group = RP_HELP_OUTPUT},
    {0, "vendor-names", RP_OPT_FLAG, AT(files.vendor_names), NULL, "use the file names of the vendor's scripts: NAME_rel_params.bin for the weights, NAME_rel.c for the C array", NULL, .group = RP_HELP_VENDOR},
    {0, "compare-static", RP_OPT_FLAG, AT(compare.with_static), NULL, "also link statically and report the difference", NULL, .group = RP_HELP_REPORTS},
    {0, "compare-toolchains", RP_OPT_FLAG, AT(compare.toolchains), NULL, "also build with clang (or gcc, with -r llvm) and report both", NULL, .group = RP_HELP_REPORTS},
    {0, "parse-only", RP_OPT_FLAG, AT(parse_only), NULL, "describe the model and build nothing", NULL, .group = RP_HELP_OUTPUT},
    {0, "dry-run", RP_OPT_FLAG, AT(source.build.dry_run), NULL, "print the commands without running them", NULL, .group = RP_HELP_OUTPUT},
    {0, "device", RP_OPT_TEXT, AT(device.name), "NAME|FILE", "the part that the image is for, as `relocpack targets` lists them, a board, or a board's JSON file: the report shows what is used and free", NULL, .group = RP_HELP_TARGET, .brief = "the part: the report shows what is used and free"},
    {0, "device-flash", RP_OPT_TEXT, AT(device.flash), "SIZE", "flash for the model (default: all of the device)", NULL, .group = RP_HELP_TARGET},
    {0, "device-ram", RP_OPT_TEXT, AT(device.ram), "SIZE", "RAM for the model (default: all RAM inside the device)", NULL, .group = RP_HELP_TARGET},
    {0, "budget", RP_OPT_LIST, AT(limits.budgets), "KEY=[warn:]N", "fail (or warn) when KEY is above N: SIZE, N% of the device, +SIZE or +N% on the baseline. KEY: flash, ram_xip, ram_copy, total_ram_xip, total_ram_copy, params, acts, ext_ram, got or header_and_rel", NULL, .group = RP_HELP_LIMITS, .brief = "fail above it: flash=64K, ram_xip=50%"},
    {0, "budget-file", RP_OPT_TEXT, AT(limits.file), "FILE", "budgets from a JSON object with the same keys", NULL, .group = RP_HELP_LIMITS},
    {0, "baseline", RP_OPT_TEXT, AT(limits.baseline), "FILE", "the report, or what --update-baseline wrote, that +SIZE and +N% of budgets are growth from", NULL, .group = RP_HELP_LIMITS},
    {0, "json", RP_OPT_MAYBE, AT(json), "[FILE]", "also write the JSON report to FILE", NULL, .marks = RP_MARK_WRITES, .group = RP_HELP_REPORTS},
    {0, "html", RP_OPT_TEXT, AT(html), "FILE", "also write the report as a page to look at, as `relocpack report --html` does", NULL, .marks = RP_MARK_WRITES, .group = RP_HELP_REPORTS, .brief = "also write the report as a page to look at"},
    {0, "update-baseline", RP_OPT_TEXT, AT(limits.update), "FILE", "write the part of the report that depends on the image alone to FILE, for `relocpack diff --baseline FILE`", NULL, .marks = RP_MARK_WRITES, .group = RP_HELP_LIMITS},
    {0, "label", RP_OPT_LIST, AT(labels), "KEY=VALUE|ci", "what the report calls this build, such as its commit, also with --reproducible; ci: commit, branch, pipeline and repository, from the environment of GitHub or GitLab", NULL, .group = RP_HELP_REPORTS},
    {0, "depfile", RP_OPT_TEXT, AT(depfile), "FILE", "write a makefile rule with all files that the image was made from", NULL, .marks = RP_MARK_WRITES, .group = RP_HELP_REPEAT},
    {0, "stamp", RP_OPT_TEXT, AT(stamp), "FILE", "do nothing if FILE says that options, tools, all that was read and all that was written are as they were; otherwise write it with the rest", NULL, .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPEAT},
    {0, "options-file", RP_OPT_WORDS, AT(options_file), "FILE", "take more options from FILE: words separated by blanks or line ends, quoted as in a response file of gcc", NULL, .marks = RP_MARK_ASIDE, .group = RP_HELP_REPEAT},
    {0, "reproducible", RP_OPT_FLAG, AT(reproducible), NULL, "leave times and paths out of the report", NULL, .group = RP_HELP_REPEAT},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

void rp_generate_defaults(void *target) {
    struct rp_generate_options *options = target;
    rp_source_defaults(&options->source);
    options->output = "build";
}

/* false: there is no such item. */
static bool take_item(struct rp_generate_options *options, const char *item) {
    struct rp_source_options *source = &options->source;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"split", &options->files.split},
        {"gen-c-file", &options->files.c_array},
        {"gen-c-files", &options->files.c_array},
        {"gen-c-weights", &options->files.c_weights},
        {"copy-only", &source->input.copy_only},
        {"compact", &source->input.compact},
        {"no-secure", &source->input.npu.no_secure},
        {"no-dbg-info", &source->input.npu.no_dbg_info},
        {"polling", &source->input.npu.polling},
        {"ecblob-in-params", &source->input.npu.ecblob_in_params},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(item, flags[i].name) == 0)
            return *flags[i].flag = true;
    const struct rp_compiler *compiler = rp_compiler_find(item);
    if (compiler != NULL && compiler->is_clang)
        source->input.compiler = compiler;
    else if (strcmp(item, "custom") == 0)
        source->input.custom = "custom.json";
    else if (rp_has_prefix(item, "custom=") && item[strlen("custom=")] != '\0')
        source->input.custom = item + strlen("custom=");
    else
        return item[0] == '\0';
    return true;
}

bool rp_generate_take(struct rp_generate_options *options, struct rp_error *err) {
    bool both =
        rp_strings_have(&options->reloc, "llvm") && rp_strings_have(&options->reloc, "st-clang");
    if (both)
        return rp_fail(err, RP_E_USAGE, "-r llvm and -r st-clang exclude each other");
    for (size_t i = 0; i < options->reloc.count; i++)
        if (!take_item(options, options->reloc.items[i])) {
            rp_fail(err, RP_E_USAGE, "unknown -r item '%s'; there are: " RP_RELOC_ITEMS,
                    options->reloc.items[i]);
            char word[RP_WORD_BYTES]; /* without the value of custom=FILE */
            snprintf(word, sizeof word, "%.*s", (int)strcspn(options->reloc.items[i], "="),
                     options->reloc.items[i]);
            return rp_hint_nearest(err, word, "-r ", RP_RELOC_ITEMS);
        }
    if (options->files.c_weights && !options->files.split)
        return rp_fail(err, RP_E_USAGE,
                       "-r gen-c-weights goes with split: otherwise the weights are in the image");
    options->source.input.describe_only = options->parse_only;
    options->source.input.debug_paths = options->source.input.debug && !options->reproducible;
    if (options->source.console.no_color)
        setenv("NO_COLOR", "1", 1);
    return true;
}
