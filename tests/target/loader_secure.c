/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secure firmware for the emulated M33 (AN505): the loader behind services that the non-secure side
 * calls. It looks at a pointer of a caller's before it uses it, copies what it points to, and from
 * then on uses the copy alone; instances have numbers. First it shows what happens when it calls
 * code in non-secure memory; then it starts loader_nonsecure.c there.
 */
#include <arm_cmse.h>
#include <string.h>

#include "loader_kit.h"
#include "loader_secure.h"
#include "loader_trial.h"
#include "format/reloc_format.h"

#define ENTRY   __attribute__((cmse_nonsecure_entry))
#define WORD(a) (*(volatile uint32_t *)(a))

/* Memory of the non-secure side, and the last 64 KB of it, which its firmware does not use. */
#define NONSECURE       UINT32_C(0x80000000)
#define NONSECURE_END   UINT32_C(0x81000000)
#define NONSECURE_SPARE (NONSECURE_END - 0x10000u)

/* ---- pointers of callers ---- */

/* Whether the non-secure side could read, or write, all of it itself. */
static bool readable(const void *address, uint32_t size) {
    return cmse_check_address_range((void *)(uintptr_t)address, size,
                                    CMSE_NONSECURE | CMSE_MPU_READ) != NULL;
}

static bool writable(void *address, uint32_t size) {
    return cmse_check_address_range(address, size, CMSE_NONSECURE | CMSE_MPU_READWRITE) != NULL;
}

/* ---- services ---- */

enum { INSTANCES = 2, IMAGE_BYTES = 8192, RAM_BYTES = 4096 };
static struct secure_instance {
    ai_handle net; /* NULL: free */
    uint32_t image[IMAGE_BYTES / 4];
    uint32_t ram[RAM_BYTES / 4];
    int32_t activations[IMAGE_ACTS_BYTES / 4];
} instances[INSTANCES];

static struct secure_instance *instance_of(uint32_t number) {
    return number < INSTANCES && instances[number].net != NULL ? &instances[number] : NULL;
}

/*
 * One caller at a time: a non-secure interrupt, or its scheduler, can come while a service runs and
 * call again. The loader's mark protects an instance, this the table.
 */
static bool entered;

static bool enter(void) {
    return !__atomic_exchange_n(&entered, true, __ATOMIC_ACQUIRE);
}

static int32_t leave(int32_t result) {
    __atomic_store_n(&entered, false, __ATOMIC_RELEASE);
    return result;
}

/* All checks are of the copy, and so is what is installed: nobody else can change it. */
static int32_t install(struct secure_instance *own, const struct secure_load *request) {
    ai_rel_network_info info;
    if (request->image_size > sizeof own->image)
        return SECURE_E_SIZE;
    if (!readable(request->image, request->image_size))
        return SECURE_E_POINTER;
    memcpy(own->image, request->image, request->image_size);
    /* Here a product verifies the signature of the copy: the code gets all rights of this side. */
    int32_t code = ai_rel_network_rt_get_info_sized(own->image, request->image_size, &info);
    if (code != 0)
        return code;
    if (info.weights == NULL || info.acts_sz > sizeof own->activations)
        return SECURE_E_SIZE;
    ai_rel_network_load_args args = {.obj = own->image,
                                     .obj_size = request->image_size,
                                     .ram_addr = own->ram,
                                     .ram_size = sizeof own->ram,
                                     .mode = AI_RELOC_RT_LOAD_MODE_XIP};
    ai_handle net = AI_HANDLE_NULL;
    code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
    const ai_handle weights[] = {info.weights}, activations[] = {own->activations};
    if (code == 0 && !ai_rel_network_init(net, weights, activations))
        code = SECURE_E_RUN;
    if (code == 0)
        own->net = net;
    return code;
}

static int32_t load_first_free(const struct secure_load *request) {
    if (!readable(request, sizeof *request))
        return SECURE_E_POINTER;
    struct secure_load copy = *request;
    for (int32_t i = 0; i < INSTANCES; i++)
        if (instances[i].net == NULL) {
            int32_t code = install(&instances[i], &copy);
            return code == 0 ? i : code;
        }
    return SECURE_E_FULL;
}

static int32_t run(struct secure_instance *own, const struct secure_run *request) {
    int32_t in_data[IMAGE_ELEMENTS], out_data[IMAGE_ELEMENTS];
    ai_buffer in = {.size = IMAGE_ELEMENTS, .data = in_data};
    ai_buffer out = {.size = IMAGE_ELEMENTS, .data = out_data};
    if (own == NULL)
        return SECURE_E_NUMBER;
    if (!readable(request, sizeof *request))
        return SECURE_E_POINTER;
    struct secure_run copy = *request;
    if (!readable(copy.input, sizeof in_data) || !writable(copy.output, sizeof out_data))
        return SECURE_E_POINTER;
    memcpy(in_data, copy.input, sizeof in_data);
    if (ai_rel_network_run(own->net, &in, &out) != 1)
        return SECURE_E_RUN;
    memcpy(copy.output, out_data, sizeof out_data);
    return 0;
}

static int32_t destroy(struct secure_instance *own) {
    if (own == NULL)
        return SECURE_E_NUMBER;
    own->net = ai_rel_network_destroy(own->net);
    return own->net == NULL ? 0 : SECURE_E_RUN;
}

ENTRY int32_t secure_load(const struct secure_load *request) {
    return enter() ? leave(load_first_free(request)) : SECURE_E_BUSY;
}

ENTRY int32_t secure_run(uint32_t number, const struct secure_run *request) {
    return enter() ? leave(run(instance_of(number), request)) : SECURE_E_BUSY;
}

ENTRY int32_t secure_destroy(uint32_t number) {
    return enter() ? leave(destroy(instance_of(number))) : SECURE_E_BUSY;
}

ENTRY uint32_t secure_ram(void) {
    return (uint32_t)instances;
}

ENTRY uint32_t secure_rom(void) {
    return (uint32_t)image_one_start;
}

ENTRY uint32_t secure_failures(void) {
    return kit_failures;
}

/* ---- what the secure side cannot do: call code in memory of the other ---- */

uint32_t levels_cpuid, levels_cpacr;
static ai_rel_network_load_args nonsecure_args;

void levels_dcache_clean(const void *address, uint32_t size) {
    (void)address, (void)size;
}

/*
 * The emulator checks where code is fetched when it fills its page table, by 1 KB, which an access
 * to data may have done. Setting the MPU up empties it; the header, which the loader reads after
 * this, lies in another page than the code.
 */
void levels_icache_invalidate(const void *address, uint32_t size) {
    (void)address, (void)size;
    TRIAL_SCS(0xD94) = 0;
}

static void load(void) {
    ai_handle net;
    (void)ai_rel_network_load_and_create_sized(&nonsecure_args, &net, NULL);
}

static void test_nonsecure_code(uint32_t mode) {
    uint8_t *at = (uint8_t *)(NONSECURE_SPARE + 1024u - RELOC_HDR_BYTES);
    const uint32_t *header = (const uint32_t *)(const void *)image_one_start;
    uint32_t create = header[RELOC_HDR_ENTRIES / 4] & RELOC_OFFSET_MASK & ~UINT32_C(1);
    bool copy = mode == AI_RELOC_RT_LOAD_MODE_COPY;
    memcpy(at, image_one_start, SIZE_OF(image_one));
    nonsecure_args =
        (ai_rel_network_load_args){.obj = copy ? image_one_start : at,
                                   .obj_size = SIZE_OF(image_one),
                                   .ram_addr = copy ? (void *)at : (void *)instances[0].ram,
                                   .ram_size = RAM_BYTES,
                                   .mode = mode};
    CHECK(!trial(load, true) && trial_fault.exception == TRIAL_SECUREFAULT);
    CHECK(trial_fault.sfsr == TRIAL_INVTRAN && trial_fault.pc == (uint32_t)at + create);
}

/* ---- the two sides ---- */

enum { SAU_CTRL = 0xDD0, SAU_RNR = 0xDD8, SAU_RBAR = 0xDDC, SAU_RLAR = 0xDE0, NSACR = 0xD8C };
#define NSCCFG 0x50080014u /* AN505: bit 0: code memory may have gateways */

static void give(uint32_t region, uint32_t start, uint32_t end, uint32_t callable) {
    TRIAL_SCS(SAU_RNR) = region;
    TRIAL_SCS(SAU_RBAR) = start;
    TRIAL_SCS(SAU_RLAR) = (end - 32u) | callable << 1 | 1u;
}

static void divide(void) {
    give(0, NONSECURE, NONSECURE_END, 0);
    give(1, SECURE_GATEWAYS, SECURE_GATEWAYS + 0x100u, 1);
    WORD(NSCCFG) = 1;
    TRIAL_SCS(NSACR) |= 3u << 10; /* the FPU is for both */
    TRIAL_SCS(SAU_CTRL) = 1;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

int main(void) {
    typedef void __attribute__((cmse_nonsecure_call)) nonsecure(void);
    levels_cpuid = TRIAL_SCS(TRIAL_CPUID);
    levels_cpacr = TRIAL_SCS(TRIAL_CPACR);
    trial_start();
    divide();
    test_nonsecure_code(AI_RELOC_RT_LOAD_MODE_XIP);
    test_nonsecure_code(AI_RELOC_RT_LOAD_MODE_COPY);
    WORD(0xE002ED08u) = NONSECURE; /* the other side's VTOR */
    __asm__ volatile("msr msp_ns, %0" : : "r"(WORD(NONSECURE)));
    ((nonsecure *)cmse_nsfptr_create(WORD(NONSECURE + 4u)))();
    return 1; /* it ends the firmware */
}
