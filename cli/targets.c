/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack targets` and `explain`: what the tool knows, as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "cli/commands.h"
#include "cli/document.h"
#include "cli/report/json.h"
#include "cli/terminal.h"
#include "toolchain/compile/device.h"
#include "toolchain/compile/series.h"

struct list_options {
    bool json;
    bool devices;
};

// clang-format off
static const struct rp_option list_rows[] = {
    {0, "json", RP_OPT_FLAG, offsetof(struct list_options, json), NULL, "print JSON", NULL},
    {0, "devices", RP_OPT_FLAG, offsetof(struct list_options, devices), NULL, "list only the devices of --device", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

/* ---- targets ---- */

static void print_targets_json(void) {
    struct rp_json *root = rp_document("targets", 1, "targets");
    struct rp_json *list = rp_json_new_array(root, "targets");
    for (size_t i = 0; rp_target_at(i) != NULL; i++) {
        struct rp_json *item = rp_json_object();
        rp_report_target(item, rp_target_at(i));
        RP_JSON_PUT(item, RP_JSON_S("vendor", rp_target_at(i)->vendor),
                    RP_JSON_S("source", rp_target_at(i)->source));
        rp_json_push(list, item);
    }
    rp_print_json(root);
}

static void print_devices_json(void) {
    struct rp_json *root = rp_document("devices", 1, "targets");
    struct rp_json *list = rp_json_new_array(root, "devices");
    for (size_t i = 0; rp_device_at(i) != NULL; i++) {
        const struct rp_device *device = rp_device_at(i);
        const struct rp_device_sizes sizes = rp_device_sizes(device);
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("name", device->name),
                                       RP_JSON_S("series", device->series),
                                       RP_JSON_S("core", rp_device_target(device)->core->cpu),
                                       RP_JSON_N("flash_bytes", sizes.flash),
                                       RP_JSON_N("ram_bytes", sizes.ram),
                                       RP_JSON_S("source", device->source)));
    }
    rp_print_json(root);
}

static void print_devices(void) {
    printf("%-20s %9s %9s  %-12s %s\n", "device", "flash KiB", "RAM KiB", "series", "source");
    for (size_t i = 0; rp_device_at(i) != NULL; i++) {
        const struct rp_device *device = rp_device_at(i);
        const struct rp_device_sizes sizes = rp_device_sizes(device);
        printf("%-20s %9llu %9llu  %-12s %s\n", device->name,
               (unsigned long long)sizes.flash / 1024, (unsigned long long)sizes.ram / 1024,
               device->series, device->source);
    }
}

/* A row for each series, below its vendor: a line that begins with '#'. */
static void print_targets(struct rp_arena *arena) {
    const char *vendor = "";
    printf("%-13s %-13s %-6s %s\n", "series", "core", "CPUID", "flags");
    for (size_t i = 0; rp_target_at(i) != NULL; i++) {
        const struct rp_target *target = rp_target_at(i);
        struct rp_strings flags = {0};
        if (strcmp(target->vendor, vendor) != 0)
            printf("# %s\n", target->vendor);
        vendor = target->vendor;
        rp_target_flags(target, arena, &flags);
        printf("%-13s %-13s %03X   ", target->series, target->core->cpu, target->core->part);
        for (size_t k = 0; k < flags.count; k++)
            printf(" %s", flags.items[k]);
        printf("\n");
    }
}

static int run_targets(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                       struct rp_error *err) {
    const struct list_options *options = given;
    if (arguments->count != 0) {
        rp_fail(err, RP_E_USAGE, "targets takes no argument: '%s'", arguments->items[0]);
        return -1;
    }
    if (options->json || options->devices) {
        (!options->json     ? print_devices
         : options->devices ? print_devices_json
                            : print_targets_json)();
        return 0;
    }
    print_targets(arena);
    puts("\nObjects and archives for an image are compiled with -fpic -msingle-pic-base "
         "-mpic-register=r9 -mno-pic-data-is-text-relative.\n");
    print_devices();
    return 0;
}

const struct rp_command rp_command_targets = {
    "targets",  "[--json] [--devices]",      "Lists the supported series, cores, flags and devices",
    list_rows,  sizeof(struct list_options), NULL,
    run_targets};

/* ---- explain ---- */

struct explain_options {
    bool json;
};

static const struct rp_option explain_rows[] = {
    {0, "json", RP_OPT_FLAG, offsetof(struct explain_options, json), NULL, "print JSON", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static void print_wrapped(const char *text) {
    size_t column = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column != 0 && column + 1 + len > 78) {
            putchar('\n');
            column = 0;
        }
        printf("%s%.*s", column != 0 ? " " : "", (int)len, text);
        column += len + (column != 0);
        text += len + strspn(text + len, " ");
    }
    putchar('\n');
}

static const struct {
    const char *id, *severity, *text;
} notes[] = {
#define N(id, severity, text) {(id), (severity), (text)},
#include "base/notes.def"
#undef N
};

static void put_note(struct rp_json *list, size_t i) {
    rp_json_push(list,
                 RP_JSON_NEW(RP_JSON_S("id", notes[i].id), RP_JSON_S("severity", notes[i].severity),
                             RP_JSON_S("text", notes[i].text)));
}

static void put_error(struct rp_json *list, const struct rp_error_info *info) {
    char id[16];
    (void)snprintf(id, sizeof id, "RP%d", (int)info->id);
    rp_json_push(list, RP_JSON_NEW(RP_JSON_S("id", id), RP_JSON_S("severity", "error"),
                                   RP_JSON_N("exit_code", info->exit_code),
                                   RP_JSON_S("title", info->title), RP_JSON_S("text", info->text)));
}

/* list: of JSON, or NULL. */
static int explain_one(struct rp_json *list, const char *word, struct rp_error *err) {
    const char *digits = strncasecmp(word, "RP", 2) == 0 ? word + 2 : word;
    bool number = strlen(digits) == 4 && strspn(digits, "0123456789") == 4;
    const struct rp_error_info *info =
        number ? rp_error_lookup((int)strtol(digits, NULL, 10)) : NULL;
    for (size_t i = 0; info == NULL && i < sizeof notes / sizeof notes[0]; i++)
        if (strcmp(digits, notes[i].id + 2) == 0) {
            if (list != NULL) {
                put_note(list, i);
                return 0;
            }
            printf("%s: a %s\n\n", notes[i].id, notes[i].severity);
            print_wrapped(notes[i].text);
            return 0;
        }
    if (info == NULL) {
        rp_fail(err, RP_E_USAGE, "there is no error, warning or note with the id '%s'", word);
        rp_hint(err, "relocpack explain lists them");
        return -1;
    }
    if (list != NULL) {
        put_error(list, info);
        return 0;
    }
    printf("RP%d: %s (exit code %d)\n\n", (int)info->id, info->title, (int)info->exit_code);
    print_wrapped(info->text);
    return 0;
}

static int explain_json(const struct rp_strings *arguments, struct rp_error *err) {
    struct rp_json *root = rp_document("explain", 1, "explain");
    struct rp_json *list = rp_json_new_array(root, "explanations");
    for (size_t i = 0; i < arguments->count; i++)
        if (explain_one(list, arguments->items[i], err) != 0) {
            rp_json_free(root);
            return -1;
        }
    for (size_t i = 0; arguments->count == 0 && i < sizeof notes / sizeof notes[0]; i++)
        put_note(list, i);
    for (size_t i = 0; arguments->count == 0 && rp_error_at(i) != NULL; i++)
        put_error(list, rp_error_at(i));
    rp_print_json(root);
    return 0;
}

static int run_explain(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                       struct rp_error *err) {
    const struct explain_options *options = given;
    (void)arena;
    if (options->json)
        return explain_json(arguments, err);
    for (size_t i = 0; i < arguments->count; i++)
        if (explain_one(NULL, arguments->items[i], err) != 0)
            return -1;
    for (size_t i = 0; arguments->count == 0 && i < sizeof notes / sizeof notes[0]; i++)
        printf("%s  %-7s %s\n", notes[i].id, notes[i].severity, notes[i].text);
    for (size_t i = 0; arguments->count == 0 && rp_error_at(i) != NULL; i++)
        printf("RP%d  exit %d  %s\n", (int)rp_error_at(i)->id, (int)rp_error_at(i)->exit_code,
               rp_error_at(i)->title);
    return 0;
}

const struct rp_command rp_command_explain = {
    "explain",
    "[--json] [ID...]",
    "Explains an id of an error, warning or note such as RP2500, or lists all",
    explain_rows,
    sizeof(struct explain_options),
    NULL,
    run_explain};
