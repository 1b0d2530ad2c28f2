/* SPDX-License-Identifier: Apache-2.0 */
/* Members of archives: see members.h. */
#include "cli/report/members.h"

#include <string.h>

#include "base/path.h"
#include "elfpack/elf.h"
#include "elfpack/integrity.h"

/* A member that is looked for. */
struct search {
    const char *name;
    unsigned found;
    struct rp_sum sum;
};

static bool visit(const struct rp_elf *elf, void *context, struct rp_error *err) {
    struct search *search = context;
    const uint8_t *bytes;
    size_t size;
    (void)err;
    if (elf->member != NULL && strcmp(elf->member, search->name) == 0 &&
        rp_elf_bytes(elf, &bytes, &size)) {
        search->sum = rp_sum_bytes(bytes, size);
        search->found++;
    }
    return true;
}

void rp_members_json(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "archive_members");
    for (size_t i = 0; i < package->linked.map.included.count; i++) {
        const struct rp_included *included = &package->linked.map.included.items[i];
        struct rp_strings names = {0};
        struct search search = {.name = included->member};
        const struct rp_elf_visitor visitor = {visit, &search};
        char digits[2 * RELOC_SHA256_BYTES + 1];
        if (included->member == NULL)
            continue;
        rp_strings_push(package->arena, &names, included->member);
        (void)rp_elf_each_of(package->arena, included->archive, &names, &visitor, NULL);
        struct rp_json *row = RP_JSON_NEW(RP_JSON_S("symbol", included->symbol),
                                          RP_JSON_S("archive", rp_path_base(included->archive)),
                                          RP_JSON_S("member", included->member));
        if (search.found == 1) {
            rp_hex(digits, search.sum.sha256, sizeof search.sum.sha256);
            RP_JSON_PUT(row, RP_JSON_N("size_bytes", search.sum.length),
                        RP_JSON_S("sha256", digits));
        }
        rp_json_push(list, row);
    }
}
