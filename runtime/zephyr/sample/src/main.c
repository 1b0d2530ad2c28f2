/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Installs the image of a model and runs it in place. The image is an array of this firmware; where
 * models are updated, it lies in a flash partition of its own.
 */
#include <ai_reloc_network.h>
#include <xor_rel.h>

#if __has_include(<zephyr/kernel.h>)
#include <zephyr/kernel.h>
#else /* before Zephyr 3.1 */
#include <zephyr.h>
#include <sys/printk.h>
#endif

static uint32_t ram[AI_XOR_RELOC_RAM_SIZE_XIP / 4];
static uint32_t activations[AI_XOR_RELOC_ACTIVATIONS_SIZE / 4 + 1];

static ai_handle load(void) {
    const ai_rel_network_load_args args = {.obj = ai_xor_reloc_img_get(),
                                           .obj_size = AI_XOR_RELOC_IMAGE_SIZE,
                                           .ram_addr = ram,
                                           .ram_size = sizeof ram,
                                           .mode = AI_RELOC_RT_LOAD_MODE_XIP};
    ai_rel_network_info info;
    ai_handle net = AI_HANDLE_NULL;
    int32_t code = ai_rel_network_rt_get_info_sized(args.obj, args.obj_size, &info);

    if (code == 0)
        code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
    if (code != 0) {
        printk("refused: %d\n", (int)code);
        return AI_HANDLE_NULL;
    }
    const ai_handle weights[] = {info.weights}, acts[] = {activations};
    return ai_rel_network_init(net, weights, acts) ? net : AI_HANDLE_NULL;
}

int main(void) {
    ai_handle net = load();
    ai_network_report report;

    if (net == AI_HANDLE_NULL || !ai_rel_network_get_report(net, &report))
        return 1;
    for (int i = 0; i < 4; i++) {
        ai_xor_reloc_in_1 x = {i & 1, i >> 1};
        ai_xor_reloc_out_1 y;

        report.inputs[0].data = AI_HANDLE_PTR(x);
        report.outputs[0].data = AI_HANDLE_PTR(y);
        if (ai_rel_network_run(net, report.inputs, report.outputs) != 1)
            return 1;
        printk("%d xor %d = %d.%d\n", i & 1, i >> 1, (int)y[0], (int)(y[0] * 10) % 10);
    }
    (void)ai_rel_network_destroy(net);
    return 0;
}
