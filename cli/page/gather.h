/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders that the user named, for a page. */
#ifndef RP_CLI_PAGE_GATHER_H
#define RP_CLI_PAGE_GATHER_H

#include "cli/page/page.h"

/*
 * Reports of generate, what verify and run wrote, folders of reports, and folders of a batch, whose
 * cells are models of their own. Builds of a folder are
 * in the order of their times, where all reports have one, or else of their names; files are in the
 * order given. Two files are two builds, whatever their models are called. read: the paths of the
 * files. RP_E_INPUT and RP_E_MANIFEST name the file.
 */
bool rp_page_gather(struct rp_page *page, struct rp_arena *arena,
                    const struct rp_strings *arguments, struct rp_strings *read,
                    struct rp_error *err);

/* The page of one report. name: of its file. */
bool rp_page_of(struct rp_page *page, struct rp_arena *arena, const char *name, const char *text,
                struct rp_error *err);

#endif
