/* SPDX-License-Identifier: Apache-2.0 */
/* USART3 on PD8 and PD9, 115200 baud (RM0433, chapters 8, 11 and 48). */
#include "serial.h"

#include <stdint.h>

#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define RCC_AHB4ENR       REGISTER(0x580244E0)
#define RCC_APB1LENR      REGISTER(0x580244E8)
#define GPIOD_MODER       REGISTER(0x58020C00)
#define GPIOD_AFRH        REGISTER(0x58020C24)
#define USART_CR1         REGISTER(0x40004800)
#define USART_BRR         REGISTER(0x4000480C)
#define USART_ISR         REGISTER(0x4000481C)
#define USART_ICR         REGISTER(0x40004820)
#define USART_RDR         REGISTER(0x40004824)
#define USART_TDR         REGISTER(0x40004828)
enum { UE = 1 << 0, RE = 1 << 2, TE = 1 << 3, ORE = 1 << 3, RXNE = 1 << 5, TXE = 1 << 7 };

void serial_begin(void) {
    RCC_AHB4ENR |= 1 << 3;   /* GPIOD */
    RCC_APB1LENR |= 1 << 18; /* USART3 */
    (void)RCC_APB1LENR;
    GPIOD_MODER = (GPIOD_MODER & ~(0xFu << 16)) | 0xAu << 16;
    GPIOD_AFRH = (GPIOD_AFRH & ~0xFFu) | 0x77;
    USART_BRR = BOARD_CLOCK / 115200;
    USART_CR1 = UE | RE | TE;
}

void serial_put(uint8_t byte) {
    while ((USART_ISR & TXE) == 0) {
    }
    USART_TDR = byte;
}

int serial_poll(void) {
    if ((USART_ISR & ORE) != 0)
        USART_ICR = ORE; /* the block's CRC tells */
    return (USART_ISR & RXNE) != 0 ? (int)(USART_RDR & 0xFF) : -1;
}
