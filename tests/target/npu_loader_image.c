/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A position-independent Neural-ART image, made by hand, for the tests of the loader: it uses
 * .data, .bss, the GOT, pointers into all four segments, and checks at ec_network_init that the
 * loader has set all of them up. mknpuimage.py turns the linked ELF file into an image.
 *
 * IMAGE_ID: a number that results depend on. IMAGE_ACTIV: the external pool has no params.
 * IMAGE_CODE_WORDS: a word in the code is to be rebased.
 */
#include "ll_aton_reloc_network.h"
#include "ll_aton_version.h"
#include "npu_loader_image.h"

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

extern uint8_t image_params[], image_ext_ram[]; /* addresses: npu_loader_image.ld */

static const NN_Interface_TypeDef interface = {.network_name = "image" STRING(IMAGE_ID)};

struct ai_reloc_rt_ctx image_ctx = {
    .c_name = "image" STRING(IMAGE_ID),
    .acts_sz = 5000,
    .params_sz = 140,
    .ext_ram_sz = EXT_RAM_BYTES,
    .rt_version_desc = LL_ATON_VERSION_NAME,
    .rt_version =
        LL_ATON_VERSION_MAJOR << 24 | LL_ATON_VERSION_MINOR << 16 | LL_ATON_VERSION_MICRO << 8,
    .rt_version_extra = LL_ATON_VERSION_DEV,
    .rt_c_struct_sizes = sizeof(LL_Buffer_InfoTypeDef) | sizeof(EpochBlock_ItemTypeDef) << 8,
    .itf_network = &interface};

#define EXT_FLAGS (0x01000201u | (IMAGE_ACTIV ? 2u : 3u) << 16)
ll_aton_reloc_mem_pool_desc image_pools[] = {
    {"param", 0x01010500, 0, 0, PARAM_BYTES},
    {"ext", EXT_FLAGS, IMAGE_ACTIV ? 0 : EXT_FOFF, 0, EXT_BYTES},
    {"copy", 0x02030200, COPY_FOFF, COPY_START, COPY_BYTES},
    {"copy_ro", 0x02010500, COPY_RO_FOFF, COPY_RO, COPY_RO_BYTES},
    {"reset", 0x03020200, 0, RESET_START, RESET_BYTES},
    {NULL, 0, 0, 0, 0}};

/* Kinds of words that have to be rebased. */
static const char *const names[] = {"alpha", "beta", NULL};
int32_t counter = 7;
int32_t zeroed[5];
int32_t *pointers[] = {&counter, &zeroed[3], NULL};
const uint8_t *param_end = image_params + IMAGE_PARAMS_BYTES;
uint8_t *ext_last = image_ext_ram + EXT_BYTES - 1;
static int32_t add(int32_t a, int32_t b);
int32_t (*operators[])(int32_t, int32_t) = {add};
static uint32_t epochs;
static void *input, *output;

static int32_t add(int32_t a, int32_t b) {
    return a + b;
}

#if IMAGE_CODE_WORDS
__asm__(
    ".section .rodata.fix,\"a\"\n.balign 4\n.global image_fix\nimage_fix: .word counter\n.text");
extern int32_t *const image_fix __attribute__((visibility("hidden")));
#endif

/* 0 if .data, .bss, GOT, REL words and params are as they should be, else which is not. */
static uint32_t check_setup(void) {
    if (counter != 7 || *pointers[0] != 7 || pointers[1] != &zeroed[3] || pointers[2] != NULL)
        return 1;
    for (uint32_t i = 0; i < 5; i++)
        if (zeroed[i] != 0)
            return 2;
    if (names[0][0] != 'a' || names[1][3] != 'a' || operators[0](6, 7) != 13 || epochs != 0)
        return 3;
    for (uint32_t i = 0; i < IMAGE_PARAMS_BYTES; i++)
        if (image_params[i] != IMAGE_PARAM(i) || param_end[-1] != IMAGE_PARAM(143))
            return 4;
    if (ext_last != &image_ext_ram[EXT_BYTES - 1])
        return 5;
    for (uint32_t i = 0; i < EXT_BYTES && !IMAGE_ACTIV; i++)
        if (image_ext_ram[i] != IMAGE_PARAM(EXT_FOFF + i))
            return 6;
#if IMAGE_CODE_WORDS
    if (image_fix != &counter)
        return 7;
#endif
    return image_ctx.rom_addr != 0 && image_ctx.itf_network->network_name[0] == 'i' ? 0 : 8;
}

bool image_ec_network_init(void);
bool image_ec_network_init(void) {
    return check_setup() == 0;
}

/* As the pack's stubs in images do: the call-back may change r9. */
bool image_ec_inference_init(void);
bool image_ec_inference_init(void) {
    const struct ll_aton_reloc_callback *cbs = image_ctx.cbs;
    static LL_Buffer_InfoTypeDef buffer;
    uint32_t r9;
    __asm__ volatile("mov %0, r9" : "=r"(r9));
    cbs->ll_aton_cache_mcu_clean_range(0x1230, IMAGE_ID);
    __asm__ volatile("mov r9, %0" : : "r"(r9));
    cbs->ll_aton_cache_npu_clean_invalidate_range(0x4560, IMAGE_ID);
    __asm__ volatile("mov r9, %0" : : "r"(r9));
#if LL_ATON_STANDIN_INSTANCE_ARGUMENT
    int result = cbs->ll_aton_lib_concat(&buffer, 2, &buffer, 3, 44, 55, image_ctx.ll_instance);
#else
    int result = cbs->ll_aton_lib_concat(&buffer, 2, &buffer, 3, 44, 55);
#endif
    __asm__ volatile("mov r9, %0" : : "r"(r9));
    counter += 1;
    return result == IMAGE_ID && *pointers[0] == counter;
}

LL_ATON_User_IO_Result_t image_set_input(uint32_t num, void *buffer, uint32_t size);
LL_ATON_User_IO_Result_t image_set_input(uint32_t num, void *buffer, uint32_t size) {
    if (num != 0)
        return LL_ATON_User_IO_WRONG_INDEX;
    input = buffer;
    return size == 16 ? LL_ATON_User_IO_NOERROR : LL_ATON_User_IO_WRONG_SIZE;
}

void *image_get_input(uint32_t num);
void *image_get_input(uint32_t num) {
    return num == 0 ? input : NULL;
}

LL_ATON_User_IO_Result_t image_set_output(uint32_t num, void *buffer, uint32_t size);
LL_ATON_User_IO_Result_t image_set_output(uint32_t num, void *buffer, uint32_t size) {
    output = buffer;
    return num == 0 && size == 32 ? LL_ATON_User_IO_NOERROR : LL_ATON_User_IO_WRONG_SIZE;
}

void *image_get_output(uint32_t num);
void *image_get_output(uint32_t num) {
    return num == 0 ? output : NULL;
}

/* Counts, and leaves the count where the firmware sees it. */
#if LL_ATON_STANDIN_INSTANCE_ARGUMENT
static void epoch(const LL_ATON_RT_EpochBlockItem_t *block, const NN_Instance_TypeDef *instance) {
    if (instance != image_ctx.ll_instance)
        return;
    (void)block;
#else
static void epoch(const void *block) {
    (void)block;
#endif
    *(volatile uint32_t *)(void *)image_ext_ram = ++epochs + IMAGE_ID;
}

const EpochBlock_ItemTypeDef *image_epoch_items(void);
const EpochBlock_ItemTypeDef *image_epoch_items(void) {
    static const EpochBlock_ItemTypeDef items[] = {
        {.start_epoch_block = epoch, .end_epoch_block = epoch, .flags = EpochBlock_Flags_pure_sw},
        {.flags = EpochBlock_Flags_last_eb}};
    return items;
}

#define BUFFERS(function, count)                                                                   \
    const LL_Buffer_InfoTypeDef *function(void);                                                   \
    const LL_Buffer_InfoTypeDef *function(void) {                                                  \
        static const LL_Buffer_InfoTypeDef list[] = {                                              \
            {.name = #function, .addr_base = {image_ext_ram}, .offset_end = 16},                   \
            {.name = count > 1 ? "second" : NULL, .addr_base = {image_params}},                    \
            {.name = NULL}};                                                                       \
        return list;                                                                               \
    }
BUFFERS(image_output_buffers, 1)
BUFFERS(image_input_buffers, 2)
BUFFERS(image_internal_buffers, 1)

#if LL_ATON_STANDIN_ENCRYPTION_INFO
static LL_Streng_EncryptionTypedef weights_encryption, blobs_encryption;
const LL_Streng_EncryptionTypedef *image_weight_encryption(void);
const LL_Streng_EncryptionTypedef *image_weight_encryption(void) {
    return &weights_encryption;
}

const LL_Streng_EncryptionTypedef *image_blob_encryption(void);
const LL_Streng_EncryptionTypedef *image_blob_encryption(void) {
    return &blobs_encryption;
}
#endif
