/* SPDX-License-Identifier: Apache-2.0 */
/* Colour, progress, printable text: see terminal.h. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <unistd.h>

static bool is_terminal(FILE *stream) {
    const char *no_colour = getenv("NO_COLOR");
    return isatty(fileno(stream)) && (no_colour == NULL || no_colour[0] == '\0');
}

const char *rp_colour(FILE *stream, enum rp_colour colour) {
    static const char *const codes[] = {"\033[0m", "\033[31m", "\033[32m", "\033[33m"};
    return is_terminal(stream) ? codes[colour] : "";
}

void rp_progress(bool quiet, const char *text) {
    if (!quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s%s", text, text[0] != '\0' ? " ..." : "");
}

void rp_print_notes(struct rp_arena *arena, const struct rp_diagnostics *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        const struct rp_diagnostic *note = &notes->items[i];
        fprintf(stderr, "relocpack: %s%s%s %s: %s\n", rp_colour(stderr, RP_YELLOW), note->severity,
                rp_colour(stderr, RP_PLAIN), note->id, rp_printable_lines(arena, note->message));
        if (note->hint != NULL)
            fprintf(stderr, "relocpack: hint: %s\n", rp_printable_lines(arena, note->hint));
    }
}

void rp_print_json(struct rp_json *value) {
    char *text = rp_json_print(value);
    fputs(text, stdout);
    free(text);
    rp_json_free(value);
}
