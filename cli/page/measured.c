/* SPDX-License-Identifier: Apache-2.0 */
/* What verify and run wrote: see measured.h. */
#include "cli/page/measured.h"

#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/page/chart.h"
#include "cli/page/content.h"
#include "cli/page/markup.h"

enum { BARS_MOST = 200 };
#define IMAGE_END "_rel.bin"

struct reading {
    struct rp_page_measured *measured;
    struct rp_arena *arena;
    const char *path;
    struct rp_error *err;
};

/* A member's text, or otherwise. */
static const char *text_of(const struct reading *reading, const struct rp_json *object,
                           const char *key, const char *otherwise) {
    return rp_strdup(reading->arena, rp_json_text(object, key, otherwise));
}

static void add_image(const struct reading *reading, const struct rp_json *object) {
    *RP_PUSH(reading->arena, &reading->measured->images) = (struct rp_page_image){
        rp_path_base(text_of(reading, object, "image", "")), text_of(reading, object, "name", "")};
}

static bool add_profile(const struct reading *reading, const struct rp_json *profile,
                        const char *image) {
    if (rp_json_member(profile, "nodes") == NULL)
        return true;
    const char *mode = text_of(reading, profile, "mode", "");
    struct rp_page_profile *added = RP_PUSH(reading->arena, &reading->measured->profiles);
    *added = (struct rp_page_profile){
        .image = image[0] != '\0' && mode[0] != '\0'
                     ? rp_format(reading->arena, "%s, %s mode", image, mode)
                     : image,
        .unit = text_of(reading, profile, "unit", "instructions or cycles")};
    return rp_facts_of(&added->facts, reading->arena, reading->path, profile, reading->err);
}

bool rp_page_measured_read(struct rp_page_measured *measured, struct rp_arena *arena,
                           const char *path, const struct rp_json *root, struct rp_error *err) {
    const struct reading reading = {measured, arena, path, err};
    const struct rp_json *images = rp_json_member(root, "images");
    *measured = (struct rp_page_measured){.unit = text_of(&reading, root, "unit",
                                                          rp_json_member(root, "runs") != NULL
                                                              ? "instructions"
                                                              : "instructions or cycles")};
    if (!rp_facts_of(&measured->facts, arena, path, root, err))
        return false;
    if (rp_json_member(root, "runs") != NULL)
        add_image(&reading, root);
    for (const struct rp_json *image = rp_json_first(images); image != NULL;
         image = rp_json_next(image)) {
        add_image(&reading, image);
        if (!add_profile(&reading, rp_json_member(image, "profile"),
                         text_of(&reading, image, "name", "")))
            return false;
    }
    return add_profile(&reading, rp_json_member(root, "profile"), "") &&
           (images != NULL || add_profile(&reading, root, ""));
}

/* "digits_float_rel.bin" is the image of the model digits_float. */
static bool is_file_of(const char *file, const char *model) {
    const size_t length = strlen(model);
    return strncmp(file, model, length) == 0 && strcmp(file + length, IMAGE_END) == 0;
}

bool rp_page_is_measured(const struct rp_page_measured *measured,
                         const struct rp_page_glance *glance) {
    for (size_t i = 0; i < measured->images.count; i++) {
        const struct rp_page_image *image = &measured->images.items[i];
        if (!is_file_of(image->file, glance->model) &&
            (image->name[0] == '\0' || strcmp(image->name, glance->c_name) != 0))
            return false;
    }
    return true;
}

static void write_bars(struct rp_buf *out, const struct rp_page_profile *profile,
                       enum rp_fact_group group, const char *what) {
    struct rp_buf bars = {.arena = out->arena};
    const size_t rows = rp_chart_bars(&bars, &profile->facts, group, BARS_MOST);
    size_t all = 0;
    if (rows == 0)
        return;
    for (size_t i = 0; i < profile->facts.count; i++)
        all += profile->facts.items[i].group == group;
    const char *image = rp_markup_cut(out->arena, profile->image, 80);
    const char *heading =
        rp_format(out->arena, "%s, in %s%s%s", what, rp_markup_cut(out->arena, profile->unit, 40),
                  image[0] != '\0' ? ": " : "", image);
    rp_buf_printf(out,
                  "<figure><figcaption><b>%s</b></figcaption><svg class=\"bars\" width=\"100%%\" "
                  "height=\"%zu\" role=\"group\" aria-label=\"%s\">\n",
                  heading, rows * RP_BAR_ROW, heading);
    rp_buf_append(out, bars.data, bars.len);
    rp_buf_puts(out, "</svg>");
    if (all > rows)
        rp_buf_printf(out, "<p class=\"note\">The first %zu of %s; per cent are of all.</p>", rows,
                      rp_commas(out->arena, all));
    rp_buf_puts(out, "</figure>\n");
}

void rp_page_measured_write(struct rp_buf *out, const struct rp_page_measured *measured,
                            bool known) {
    rp_buf_printf(out, "<section class=\"measured\"><h2>Time <small>%s",
                  rp_markup_cut(out->arena, rp_path_base(measured->facts.path), 80));
    for (size_t i = 0; i < measured->images.count; i++)
        rp_buf_printf(out, "%s%s", i == 0 ? ": " : ", ",
                      rp_markup_cut(out->arena, measured->images.items[i].file, 80));
    rp_buf_puts(out, "</small></h2>\n");
    if (!known)
        rp_buf_puts(out, "<p class=\"note\">This page has no single report that this file is known "
                         "to belong to.</p>\n");
    for (size_t i = 0; i < measured->profiles.count; i++) {
        const struct rp_page_profile *profile = &measured->profiles.items[i];
        write_bars(out, profile, RP_FACT_LAYERS, "Layers in the order of execution");
        write_bars(out, profile, RP_FACT_FUNCTIONS, "Functions without what they call");
    }
    rp_content_facts(
        out, &measured->facts, RP_FACT_TIME,
        rp_format(out->arena, "Runs, in %s", rp_markup_cut(out->arena, measured->unit, 40)));
    rp_content_facts(out, &measured->facts, RP_FACT_MEMORY, "Bytes");
    rp_buf_puts(out, "</section>\n");
}
