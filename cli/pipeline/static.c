/* SPDX-License-Identifier: Apache-2.0 */
/* Static builds of a model: see static.h. */
#include "cli/pipeline/static.h"

#include <errno.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/pipeline/link.h"
#include "cli/pipeline/parts.h"
#include "cli/pipeline/settle.h"
#include "toolchain/compile/flags.h"
#include "toolchain/compile/make.h"

bool rp_package_compile_static(struct rp_package *package, struct rp_error *err) {
    if (!rp_package_settle_static(package, err) || !rp_package_scan(package, err))
        return false;
    rp_package_leave_lto(package);
    return rp_package_add_functions(package, err);
}

/* The assembler reads the file itself, under a name that needs no quoting. */
static bool link_weights(struct rp_package *package, struct rp_error *err) {
    const char *name = rp_build_path(&package->build, "weights.raw");
    const char *path = rp_path_absolute(package->arena, package->linked.weights.path, err);
    (void)unlink(name);
    return path != NULL &&
           (symlink(path, name) == 0 || rp_fail_errno(err, errno, "cannot create", name));
}

bool rp_package_embed_weights(struct rp_package *package, struct rp_error *err) {
    struct rp_buf text = {.arena = package->arena};
    struct rp_sum sum = {0};
    char digest[2 * RELOC_SHA256_BYTES + 1];
    const char *symbol = package->model.weights.symbol;
    if (!rp_package_find_weights(package, err))
        return false;
    if (package->linked.weights.path == NULL)
        return true;
    if (!link_weights(package, err) || !rp_sum_file(package->linked.weights.path, &sum, err))
        return false;
    rp_hex(digest, sum.sha256, sizeof sum.sha256);
    rp_buf_printf(&text, "@ %s: compiler caches look at this text only\n", digest);
    rp_buf_puts(&text, ".section .rodata.rp_weights, \"a\", %progbits\n.balign 64\n"
                       ".global rp_static_weights\nrp_static_weights:\n");
    if (symbol != NULL)
        rp_buf_printf(&text, ".global %s_array_u64\n%s_array_u64:\n", symbol, symbol);
    rp_buf_printf(&text, ".incbin \"weights.raw\", 0, %llu\n",
                  (unsigned long long)package->linked.weights.size);
    if (!rp_build_write(&package->build, "weights.S", text.data, text.len, err))
        return false;
    rp_build_add(&package->build, "weights.S", &package->compiled.flags.glue);
    return true;
}

bool rp_package_link_static(struct rp_package *package, struct rp_error *err) {
    if (!rp_package_compile_static(package, err) || !rp_package_write_parts(package, err))
        return false;
    rp_plan_link(&package->build, &package->model, &package->compiled.flags);
    return rp_build_make(&package->build, "link", err) && rp_package_open_linked(package, err);
}
