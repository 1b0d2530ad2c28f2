/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The XML that GDB servers send: memory maps and target descriptions. A walk over tags with their
 * attributes and the text after them. Entities are not supported, so nothing can expand.
 */
#ifndef RP_TOOLCHAIN_PROBE_XML_H
#define RP_TOOLCHAIN_PROBE_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Set text and end; the rest describes the tag that rp_xml_next found. */
struct rp_xml {
    const char *text; /* what is left */
    const char *end;
    const char *name;
    size_t name_len;
    const char *attributes; /* up to attributes_end */
    const char *attributes_end;
    bool is_end; /* </name> */
};

/* The next tag; comments, declarations and processing instructions are skipped. false: no more. */
bool rp_xml_next(struct rp_xml *xml);
bool rp_xml_is(const struct rp_xml *xml, const char *name);
/* The value of an attribute of this tag, or NULL; *len: its length. */
const char *rp_xml_attribute(const struct rp_xml *xml, const char *name, size_t *len);
/* The same as a number, decimal or with 0x; false: there is none, or it is above 2^32. */
bool rp_xml_number(const struct rp_xml *xml, const char *name, uint64_t *number);
/* The number in the text between this tag and the next one; false: it is not a number. */
bool rp_xml_content(const struct rp_xml *xml, uint64_t *number);

#endif
