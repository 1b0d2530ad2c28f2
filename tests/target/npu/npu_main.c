/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware that runs a generated network: linked in (NETWORK is its name), or installed from an
 * image by the loader (IMAGE is the image's address, MODE the loader's mode). Reads inputs.bin
 * (inputs of any number of inferences, one after the other), runs them, writes outputs.bin (the
 * outputs in the same order) and counts.bin (enum count). start.c of the harness starts it.
 */
#include <stdint.h>
#include <string.h>

#include "counter.h"
#include "harness.h"
#include "semihost.h"

#include "ll_aton_rt_user_api.h"

#ifdef IMAGE
#include "ll_aton_reloc_loader.h"

static NN_Instance_TypeDef INSTANCE;
#else
#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)
#define DECLARE(name) LL_ATON_DECLARE_NAMED_NN_INSTANCE_AND_INTERFACE(name)
#define INSTANCE      CONCAT(NN_Instance_, NETWORK)
DECLARE(NETWORK);
#endif

enum count {
    COUNT_INFERENCES,
    COUNT_STARTS,
    COUNT_ENDS,
    COUNT_WAITS,
    COUNT_MCU_CLEAN,
    COUNT_MCU_INVALIDATE,
    COUNT_NPU_CLEAN,
    COUNT_INTERNALS,
    COUNT_COUNT
};
static uint32_t counts[COUNT_COUNT];

enum { EXIT_FILES = 10, EXIT_ASSERT, EXIT_SEQUENCE, EXIT_USER_IO, EXIT_INSTALL };
enum { USER_BUFFERS = 4, USER_BYTES = 1024 };
static uint8_t user_memory[USER_BUFFERS][USER_BYTES] __attribute__((aligned(32)));

/* ---- What start.c and the pack want ---- */

uint32_t harness_step;

void counter_overflow(void) {}

void harness_record_fault(const uint32_t *words) {
    (void)words;
}

void __assert_func(const char *file, int line, const char *function, const char *expression);

void __assert_func(const char *file, int line, const char *function, const char *expression) {
    semihost_print(file);
    semihost_print_hex(": line ", (uint32_t)line);
    semihost_print(function);
    semihost_print(": ");
    semihost_print(expression);
    semihost_print("\n");
    semihost_exit(EXIT_ASSERT);
}

int mcu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    counts[COUNT_MCU_CLEAN] += start_addr < end_addr;
    return 0;
}

int mcu_cache_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    counts[COUNT_MCU_INVALIDATE] += start_addr < end_addr;
    return 0;
}

int mcu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    (void)mcu_cache_clean_range(start_addr, end_addr);
    return mcu_cache_invalidate_range(start_addr, end_addr);
}

void npu_cache_clean_range(uint32_t start_addr, uint32_t end_addr) {
    counts[COUNT_NPU_CLEAN] += start_addr < end_addr;
}

void npu_cache_clean_invalidate_range(uint32_t start_addr, uint32_t end_addr) {
    npu_cache_clean_range(start_addr, end_addr);
}

/* ---- Inferences ---- */

/* Every start has its end, the same block, before the next start. */
static void observe(LL_ATON_RT_Callbacktype_t type, const NN_Instance_TypeDef *instance,
                    const EpochBlock_ItemTypeDef *block) {
    static const EpochBlock_ItemTypeDef *running;
    if (type == LL_ATON_RT_Callbacktype_PRE_START) {
        if (running != NULL || block == NULL || instance != &INSTANCE)
            semihost_exit(EXIT_SEQUENCE);
        running = block;
        counts[COUNT_STARTS]++;
        counts[COUNT_INTERNALS] += EpochBlock_IsEpochInternal(block);
    } else if (type == LL_ATON_RT_Callbacktype_POST_END) {
        if (running != block)
            semihost_exit(EXIT_SEQUENCE);
        running = NULL;
        counts[COUNT_ENDS]++;
    }
}

/* Gives a buffer to every input and output that wants one. */
static void set_user_buffers(void) {
    uint32_t next = 0;
    const LL_Buffer_InfoTypeDef *buffer = LL_ATON_Input_Buffers_Info(&INSTANCE);
    for (uint32_t i = 0; buffer[i].name != NULL && !buffer[i].is_param; i++)
        if (buffer[i].is_user_allocated &&
            LL_ATON_Set_User_Input_Buffer(&INSTANCE, i, user_memory[next++], USER_BYTES) !=
                LL_ATON_User_IO_NOERROR)
            semihost_exit(EXIT_USER_IO);
    buffer = LL_ATON_Output_Buffers_Info(&INSTANCE);
    for (uint32_t i = 0; buffer[i].name != NULL; i++)
        if (buffer[i].is_user_allocated &&
            LL_ATON_Set_User_Output_Buffer(&INSTANCE, i, user_memory[next++], USER_BYTES) !=
                LL_ATON_User_IO_NOERROR)
            semihost_exit(EXIT_USER_IO);
    if (LL_ATON_Set_User_Input_Buffer(&INSTANCE, 9, user_memory, USER_BYTES) !=
        LL_ATON_User_IO_WRONG_INDEX)
        semihost_exit(EXIT_USER_IO);
}

static void run(void) {
    LL_ATON_RT_RetValues_t result;
    do {
        result = LL_ATON_RT_RunEpochBlock(&INSTANCE);
        if (result == LL_ATON_RT_WFE) {
            counts[COUNT_WAITS]++;
            LL_ATON_OSAL_WFE();
        }
    } while (result != LL_ATON_RT_DONE);
    counts[COUNT_INFERENCES]++;
}

static bool transfer_inputs(int32_t file, int32_t *left) {
    const LL_Buffer_InfoTypeDef *buffer = LL_ATON_Input_Buffers_Info(&INSTANCE);
    for (; buffer->name != NULL && !buffer->is_param; buffer++) {
        if (!semihost_read(file, LL_Buffer_addr_start(buffer), LL_Buffer_len(buffer)))
            return false;
        *left -= (int32_t)LL_Buffer_len(buffer);
    }
    return true;
}

static bool write_outputs(int32_t file) {
    const LL_Buffer_InfoTypeDef *buffer = LL_ATON_Output_Buffers_Info(&INSTANCE);
    for (; buffer->name != NULL; buffer++)
        if (!semihost_write(file, LL_Buffer_addr_start(buffer), LL_Buffer_len(buffer)))
            return false;
    return true;
}

#ifdef IMAGE
enum { RAM_BYTES = 0x10000, EXT_RAM = 0x6B004000 };
static uint8_t ram[RAM_BYTES] __attribute__((aligned(32)));

/* With just the RAM that the image asks for, which holds garbage. */
static void install(void) {
    ll_aton_reloc_info info;
    memset(ram, 0xA5, sizeof ram);
    int code = ll_aton_reloc_get_info(IMAGE, &info);
    if (code == AI_RELOC_RT_ERR_NONE) {
        bool copy = (MODE & AI_RELOC_RT_LOAD_MODE_COPY) != 0;
        const ll_aton_reloc_config config = {
            .exec_ram_addr = (uintptr_t)ram,
            .exec_ram_size = copy ? info.rt_ram_copy : info.rt_ram_xip,
            .ext_ram_addr = info.ext_ram_sz != 0 ? EXT_RAM : 0,
            .ext_ram_size = info.ext_ram_sz,
            .ext_param_addr = PARAMS,
            .mode = MODE,
        };
        if (config.exec_ram_size <= RAM_BYTES)
            code = ll_aton_reloc_install(IMAGE, &config, &INSTANCE);
    }
    if (code != AI_RELOC_RT_ERR_NONE) {
        semihost_print_hex("install: ", (uint32_t)code);
        semihost_exit(EXIT_INSTALL);
    }
}
#else
static void install(void) {}
#endif

uint32_t harness_main(void) {
    int32_t inputs = semihost_open("inputs.bin", SEMIHOST_READ);
    int32_t outputs = semihost_open("outputs.bin", SEMIHOST_WRITE);
    int32_t left = semihost_length(inputs);
    if (inputs < 0 || outputs < 0 || left <= 0)
        return EXIT_FILES;
    install();
    LL_ATON_RT_RuntimeInit();
    LL_ATON_RT_SetNetworkCallback(&INSTANCE, observe);
    set_user_buffers();
    LL_ATON_RT_Init_Network(&INSTANCE);
    while (left > 0) {
        if (!transfer_inputs(inputs, &left))
            return EXIT_FILES;
        run();
        if (!write_outputs(outputs))
            return EXIT_FILES;
        LL_ATON_RT_Reset_Network(&INSTANCE);
    }
    LL_ATON_RT_DeInit_Network(&INSTANCE);
    LL_ATON_RT_RuntimeDeInit();
    int32_t file = semihost_open("counts.bin", SEMIHOST_WRITE);
    if (!semihost_write(file, counts, sizeof counts) || !semihost_close(file))
        return EXIT_FILES;
    return semihost_close(outputs) && semihost_close(inputs) ? 0 : EXIT_FILES;
}
