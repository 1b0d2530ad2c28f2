/* SPDX-License-Identifier: Apache-2.0 */
/* Colour, progress, printable text: see terminal.h. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A terminal that knows escape sequences. */
static bool takes_escapes(FILE *stream) {
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && term != NULL && strcmp(term, "dumb") != 0;
}

static bool is_coloured(FILE *stream) {
    const char *no_colour = getenv("NO_COLOR");
    return takes_escapes(stream) && (no_colour == NULL || no_colour[0] == '\0');
}

const char *rp_colour(FILE *stream, enum rp_colour colour) {
    static const char *const codes[] = {"\033[0m", "\033[31m", "\033[32m", "\033[33m"};
    return is_coloured(stream) ? codes[colour] : "";
}

size_t rp_terminal_width(void) {
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col < 40 ? 40 : size.ws_col > 100 ? 100 : size.ws_col;
}

void rp_progress(bool quiet, const char *text) {
    static bool is_shown;
    bool shows = !quiet && text[0] != '\0';
    if ((shows || is_shown) && takes_escapes(stderr)) {
        fprintf(stderr, "\r\033[K%s%s", text, shows ? " ..." : "");
        is_shown = shows;
    }
}

void rp_print_notes(struct rp_arena *arena, const struct rp_diagnostics *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        const struct rp_diagnostic *note = &notes->items[i];
        fprintf(stderr, "relocpack: %s%s%s %s: %s\n", rp_colour(stderr, RP_YELLOW), note->severity,
                rp_colour(stderr, RP_PLAIN), note->id, rp_printable_message(arena, note->message));
        if (note->hint != NULL)
            fprintf(stderr, "relocpack: hint: %s\n", rp_printable_message(arena, note->hint));
    }
}

void rp_tell_notes(struct rp_arena *arena, struct rp_diagnostics *list,
                   const struct rp_diagnostics *notes, bool quiet) {
    if (!quiet)
        rp_print_notes(arena, notes);
    for (size_t i = 0; i < notes->count; i++)
        *RP_PUSH(arena, list) = notes->items[i];
}

static bool json_is_printed;

bool rp_json_is_printed(void) {
    return json_is_printed;
}

void rp_print_json(struct rp_json *value) {
    json_is_printed = true;
    char *text = rp_json_print(value);
    fputs(text, stdout);
    free(text);
    rp_json_free(value);
}
