/* SPDX-License-Identifier: Apache-2.0 */
/* The style sheets and the script of the page, line by line up to NULL; made from their files. */
#ifndef RP_CLI_PAGE_TEXT_H
#define RP_CLI_PAGE_TEXT_H

extern const char *const rp_text_page_css[];
extern const char *const rp_text_picture_css[];
extern const char *const rp_text_page_js[];

#endif
