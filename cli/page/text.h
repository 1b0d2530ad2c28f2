/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the page, line by line up to NULL; made from their files. */
#ifndef RP_CLI_PAGE_TEXT_H
#define RP_CLI_PAGE_TEXT_H

extern const char *const rp_text_page_html[];
extern const char *const rp_text_picture_css[];
extern const char *const rp_text_page_css[];
/* The script, in this order. */
extern const char *const rp_text_data_js[];
extern const char *const rp_text_map_js[];
extern const char *const rp_text_table_js[];
extern const char *const rp_text_parts_js[];
extern const char *const rp_text_page_js[];

#endif
