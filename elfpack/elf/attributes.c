/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads build attributes: see attributes.h. The format is in "Addenda to, and Errata in, the ABI
 * for the Arm Architecture", section "Build Attributes". All reads stay inside the section; what
 * cannot be parsed counts as not stated.
 */
#include "elfpack/elf/attributes.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"

enum { TAG_FILE = 1, TAG_CPU_ARCH = 6, TAG_CPU_PROFILE = 7, TAG_FP_ARCH = 10, TAG_VFP_ARGS = 28 };
enum { TAG_FP_NUMBERS = 23 };
enum { TAG_R9_USE = 14, TAG_WCHAR = 18, TAG_ENUM_SIZE = 26, TAG_FP16_FORMAT = 38 };
enum { TAG_CPU_RAW_NAME = 4, TAG_CPU_NAME = 5, TAG_COMPATIBILITY = 32 };

struct cursor {
    const uint8_t *at;
    const uint8_t *end;
};

static bool read_uleb(struct cursor *cursor, uint32_t *value) {
    *value = 0;
    for (unsigned shift = 0; cursor->at < cursor->end && shift < 32; shift += 7) {
        uint8_t byte = *cursor->at++;
        *value |= (uint32_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return true;
    }
    return false;
}

static bool skip_text(struct cursor *cursor) {
    const uint8_t *zero = memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
    if (zero != NULL)
        cursor->at = zero + 1;
    return zero != NULL;
}

static bool read_attribute(struct cursor *cursor, struct rp_attributes *out) {
    uint32_t tag, value = 0;
    if (!read_uleb(cursor, &tag))
        return false;
    /* odd tags above 32 are text; below, only the two CPU names are */
    if (tag == TAG_CPU_RAW_NAME || tag == TAG_CPU_NAME || (tag > TAG_COMPATIBILITY && tag % 2 == 1))
        return skip_text(cursor);
    if (!read_uleb(cursor, &value) || (tag == TAG_COMPATIBILITY && !skip_text(cursor)))
        return false;
    switch (tag) {
    case TAG_CPU_ARCH:
        out->cpu_arch = (int)value;
        break;
    case TAG_CPU_PROFILE:
        out->cpu_profile = (int)value;
        break;
    case TAG_FP_ARCH:
        out->fp_arch = (int)value;
        break;
    case TAG_FP_NUMBERS:
        out->fp_numbers = (int)value;
        break;
    case TAG_VFP_ARGS:
        out->vfp_args = (int)value;
        break;
    case TAG_ENUM_SIZE:
        out->enum_size = (int)value;
        break;
    case TAG_WCHAR:
        out->wchar_size = (int)value;
        break;
    case TAG_FP16_FORMAT:
        out->fp16_format = (int)value;
        break;
    case TAG_R9_USE:
        out->r9_use = (int)value;
        break;
    default:
        break;
    }
    return true;
}

/* {length, "aeabi\0", {Tag_File, length, attributes}…} */
static void read_vendor(struct cursor part, struct rp_attributes *out) {
    if (part.end - part.at < 6 || memcmp(part.at, "aeabi", 6) != 0)
        return;
    part.at += 6;
    while (part.end - part.at > 5) {
        const uint8_t *start = part.at;
        uint32_t size = rp_get_le32(start + 1);
        if (size < 5 || size > (size_t)(part.end - start))
            return;
        struct cursor inside = {start + 5, start + size};
        while (*start == TAG_FILE && inside.at < inside.end && read_attribute(&inside, out))
            ;
        part.at = start + size;
    }
}

struct rp_attributes rp_attributes_read(const struct rp_elf *elf) {
    struct rp_attributes out = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
    const struct rp_section *section = rp_elf_section(elf, ".ARM.attributes");
    if (section == NULL || section->contents == NULL || section->contents[0] != 'A')
        return out;
    struct cursor all = {section->contents + 1, section->contents + section->size};
    while (all.end - all.at > 4) {
        uint32_t size = rp_get_le32(all.at);
        if (size < 4 || size > (size_t)(all.end - all.at))
            return out;
        read_vendor((struct cursor){all.at + 4, all.at + size}, &out);
        all.at += size;
    }
    return out;
}
