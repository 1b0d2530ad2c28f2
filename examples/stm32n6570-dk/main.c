/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware for the STM32N6570-DK, started in RAM, that runs images for `relocpack run
 * --firmware`. It sets up clocks, the NPU and its memories, the external memories and caches, with
 * the HAL and the board support of the user's pack, and offers the service. README.md shows how it
 * is built.
 */
#include "npu_cache.h"
#include "stm32n6570_discovery.h"
#include "stm32n6570_discovery_xspi.h"
#include "stm32n6xx_hal.h"
#include "stm32n6xx_ll_bus.h"

#include "ll_aton_reloc_loader.h"
#include "relocpack_service.h"

/* Without overdrive: core 600 MHz, AXI 400, NPU and its memories 800, AHB and APB 200. */
enum { CORE_HZ = 600000000, PLL1_HZ = 1200000000 };
#ifndef XSPI_HZ
#define XSPI_HZ 50000000 /* 200 MHz only if the fuses for fast pins at 1.8 V have been set */
#endif

/* Packs up to 1.1.1 have it; in later ones npu_cache_enable does that, too. */
void npu_cache_init(void) __attribute__((weak));
extern uint32_t _sstack[], _estack[]; /* service.ld */

/* Where images may have pools at fixed addresses. None of it is this firmware's or an area. */
const ll_aton_reloc_region model_memory[] = {{0x34100000, 0x100000},   /* AXISRAM2 */
                                             {0x34200000, 0x1C0000},   /* AXISRAM3 to 6 */
                                             {0x90000000, 0x01000000}, /* half of the PSRAM */
                                             {0, 0}};

/* Where the host puts images, parameters, instances and relative pools. */
static const relocpack_service_area areas[] = {
    {0x34040000, 0xC0000, RELOCPACK_SERVICE_EXECUTE | RELOCPACK_SERVICE_NPU},
    {0x91000000, 0x01000000, RELOCPACK_SERVICE_EXECUTE | RELOCPACK_SERVICE_NPU}};

void SysTick_Handler(void) {
    HAL_IncTick();
}

/* Stops where a debugger finds the step that failed in the caller. */
static void require(bool done) {
    while (!done) {
    }
}

static void set_clocks(void) {
    RCC_OscInitTypeDef oscillators = {.OscillatorType = RCC_OSCILLATORTYPE_NONE};
    RCC_ClkInitTypeDef clocks = {0};
    RCC_PeriphCLKInitTypeDef memories = {0};
    const RCC_PLLInitTypeDef pll = {.PLLState = RCC_PLL_ON,
                                    .PLLSource = RCC_PLLSOURCE_HSI, /* 64 MHz */
                                    .PLLM = 4,
                                    .PLLN = 75,
                                    .PLLP1 = 1,
                                    .PLLP2 = 1};
    __HAL_RCC_CPUCLK_CONFIG(RCC_CPUCLKSOURCE_HSI); /* the boot ROM may have left the PLLs in use */
    __HAL_RCC_SYSCLK_CONFIG(RCC_SYSCLKSOURCE_HSI);
    oscillators.PLL1 = pll;
    oscillators.PLL2 = pll;
    oscillators.PLL2.PLLN = 50;
    oscillators.PLL3.PLLState = RCC_PLL_NONE;
    oscillators.PLL4.PLLState = RCC_PLL_NONE;
    require(HAL_RCC_OscConfig(&oscillators) == HAL_OK);
    clocks.ClockType = RCC_CLOCKTYPE_CPUCLK | RCC_CLOCKTYPE_SYSCLK | RCC_CLOCKTYPE_HCLK |
                       RCC_CLOCKTYPE_PCLK1 | RCC_CLOCKTYPE_PCLK2 | RCC_CLOCKTYPE_PCLK4 |
                       RCC_CLOCKTYPE_PCLK5;
    clocks.CPUCLKSource = RCC_CPUCLKSOURCE_IC1;
    clocks.SYSCLKSource = RCC_SYSCLKSOURCE_IC2_IC6_IC11;
    clocks.IC1Selection.ClockSelection = RCC_ICCLKSOURCE_PLL1;
    clocks.IC1Selection.ClockDivider = PLL1_HZ / CORE_HZ;
    clocks.IC2Selection.ClockSelection = RCC_ICCLKSOURCE_PLL1;
    clocks.IC2Selection.ClockDivider = 3;
    clocks.IC6Selection.ClockSelection = RCC_ICCLKSOURCE_PLL2;
    clocks.IC6Selection.ClockDivider = 1;
    clocks.IC11Selection.ClockSelection = RCC_ICCLKSOURCE_PLL2;
    clocks.IC11Selection.ClockDivider = 1;
    clocks.AHBCLKDivider = RCC_HCLK_DIV2;
    clocks.APB1CLKDivider = RCC_APB1_DIV1;
    clocks.APB2CLKDivider = RCC_APB2_DIV1;
    clocks.APB4CLKDivider = RCC_APB4_DIV1;
    clocks.APB5CLKDivider = RCC_APB5_DIV1;
    require(HAL_RCC_ClockConfig(&clocks) == HAL_OK);
    memories.PeriphClockSelection = RCC_PERIPHCLK_XSPI1 | RCC_PERIPHCLK_XSPI2;
    memories.Xspi1ClockSelection = RCC_XSPI1CLKSOURCE_IC3;
    memories.Xspi2ClockSelection = RCC_XSPI2CLKSOURCE_IC3;
    memories.ICSelection[RCC_IC3].ClockSelection = RCC_ICCLKSOURCE_PLL1;
    memories.ICSelection[RCC_IC3].ClockDivider = PLL1_HZ / XSPI_HZ;
    require(HAL_RCCEx_PeriphCLKConfig(&memories) == HAL_OK);
}

static void start_npu(void) {
    RAMCFG_TypeDef *const memories[] = {RAMCFG_SRAM2_AXI, RAMCFG_SRAM3_AXI, RAMCFG_SRAM4_AXI,
                                        RAMCFG_SRAM5_AXI, RAMCFG_SRAM6_AXI};
    const RIMC_MasterConfig_t master = {.MasterCID = RIF_CID_1,
                                        .SecPriv = RIF_ATTRIBUTE_SEC | RIF_ATTRIBUTE_PRIV};
    __HAL_RCC_NPU_CLK_ENABLE();
    __HAL_RCC_NPU_FORCE_RESET();
    __HAL_RCC_NPU_RELEASE_RESET();
    __HAL_RCC_AXISRAM2_MEM_CLK_ENABLE();
    __HAL_RCC_AXISRAM3_MEM_CLK_ENABLE();
    __HAL_RCC_AXISRAM4_MEM_CLK_ENABLE();
    __HAL_RCC_AXISRAM5_MEM_CLK_ENABLE();
    __HAL_RCC_AXISRAM6_MEM_CLK_ENABLE();
    __HAL_RCC_RAMCFG_CLK_ENABLE();
    for (uint32_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        RAMCFG_HandleTypeDef memory = {.Instance = memories[i]};
        HAL_RAMCFG_EnableAXISRAM(&memory);
    }
    __HAL_RCC_RIFSC_CLK_ENABLE();
    HAL_RIF_RIMC_ConfigMasterAttributes(RIF_MASTER_INDEX_NPU, &master);
    HAL_RIF_RISC_SetSlaveSecureAttributes(RIF_RISC_PERIPH_INDEX_NPU,
                                          RIF_ATTRIBUTE_SEC | RIF_ATTRIBUTE_PRIV);
    if (npu_cache_init != NULL)
        npu_cache_init();
    npu_cache_enable();
}

/* What the HAL asks for when the NPU's cache is set up. Later packs have it. */
__attribute__((weak)) void HAL_CACHEAXI_MspInit(CACHEAXI_HandleTypeDef *cache) {
    (void)cache;
    __HAL_RCC_CACHEAXIRAM_MEM_CLK_ENABLE();
    __HAL_RCC_CACHEAXI_CLK_ENABLE();
    __HAL_RCC_CACHEAXI_FORCE_RESET();
    __HAL_RCC_CACHEAXI_RELEASE_RESET();
}

/* PSRAM at 0x90000000, NOR flash at 0x70000000. */
static void map_external_memories(void) {
    BSP_XSPI_NOR_Init_t flash = {.InterfaceMode = BSP_XSPI_NOR_OPI_MODE,
                                 .TransferRate = BSP_XSPI_NOR_DTR_TRANSFER};
    require(BSP_XSPI_RAM_Init(0) == BSP_ERROR_NONE);
    require(BSP_XSPI_RAM_EnableMemoryMappedMode(0) == BSP_ERROR_NONE);
    require(BSP_XSPI_NOR_Init(0, &flash) == BSP_ERROR_NONE);
    require(BSP_XSPI_NOR_EnableMemoryMappedMode(0) == BSP_ERROR_NONE);
}

/* The run-time sleeps while the NPU works. Buses, memories and AHB5 (NPU, XSPI) go on. */
static void keep_clocks_in_sleep(void) {
    LL_BUS_EnableClockLowPower(~0u);
    LL_MEM_EnableClockLowPower(~0u);
    LL_AHB5_GRP1_EnableClockLowPower(~0u);
    LL_MISC_EnableClockLowPower(~0u);
}

int main(void) {
    const relocpack_service_config config = {.areas = areas,
                                             .area_count = sizeof areas / sizeof areas[0],
                                             .clock_hz = CORE_HZ,
                                             .stack = _sstack,
                                             .stack_size = (uint32_t)_estack - (uint32_t)_sstack};
    MEMSYSCTL->MSCR |= MEMSYSCTL_MSCR_ICACTIVE_Msk | MEMSYSCTL_MSCR_DCACTIVE_Msk;
    SCB_EnableICache();
    SCB_EnableDCache();
    HAL_Init();
    set_clocks();
    start_npu();
    map_external_memories();
    keep_clocks_in_sleep();
    require(relocpack_service_init(&config));
    for (;;)
        (void)relocpack_service_poll();
}
