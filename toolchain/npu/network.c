/* SPDX-License-Identifier: Apache-2.0 */
/* What a parsed network says: see network.h. */
#include "toolchain/npu/network.h"

#include <string.h>

const char *rp_aton_option(const struct rp_aton *aton, const char *key) {
    for (size_t i = 0; i < aton->options.count; i++)
        if (strcmp(aton->options.items[i].key, key) == 0)
            return aton->options.items[i].value;
    return NULL;
}

const char *rp_aton_table_name(enum rp_aton_table table) {
    static const char *const names[] = {[RP_ATON_INPUT] = "input",
                                        [RP_ATON_OUTPUT] = "output",
                                        [RP_ATON_INTERNAL] = "internal",
                                        [RP_ATON_TABLES] = ""};
    return names[table];
}

bool rp_aton_is_encrypted(const struct rp_aton *aton) {
    const char *cipher = rp_aton_option(aton, "encrypt-weights");
    return cipher != NULL && strcmp(cipher, "false") != 0;
}
