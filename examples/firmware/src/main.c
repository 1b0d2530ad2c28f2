/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the model of the newest slot that may run, confirms it when it does what it should, and then
 * waits on the serial line:
 *   s   status
 *   u   update: the new image follows by XMODEM, then the device starts again
 *   r   start again
 *   0..9 and c (emulated flash)   cut the power at that operation of the flash: "120c"
 */
#include "flash.h"
#include "model.h"
#include "serial.h"
#include "slots.h"
#include "system.h"
#include "watchdog.h"
#include "xmodem.h"

static int running = -1;
static int32_t refused; /* why the model of the slot is not there */

/* ---- the model, and whether it is right ---- */

/* Largest error at 101 points, in thousandths. */
static unsigned largest_error(void) {
    static const float POINT = 6.2831853f / 100;
    float largest = 0, sine = 0, cosine = 1, y;
    for (int i = 0; i <= 100; i++) {
        if (!model_run((float)i * POINT, &y))
            return 1000;
        float error = y > sine ? y - sine : sine - y;
        largest = error > largest || error != error ? error : largest;
        float next = sine * 0.99802673f + cosine * 0.06279052f; /* turned by a point */
        cosine = cosine * 0.99802673f - sine * 0.06279052f;
        sine = next;
    }
    return largest < 1 ? (unsigned)(largest * 1000) : 1000;
}

static void print_slots(void) {
    for (int which = 0; which < SLOTS; which++) {
        const struct slot slot = slots_read(which);
        serial_print("slot %u: ", (unsigned)which);
        if (!slot.installed)
            serial_print("empty\n");
        else
            serial_print("image %u, %u bytes, %s\n", (unsigned)slot.number, (unsigned)slot.length,
                         slot.confirmed     ? "confirmed"
                         : !slot.tried      ? "new"
                         : which == running ? "on trial"
                                            : "failed");
    }
}

static void print_refused(const char *words) {
    serial_print(words, (unsigned)slots_read(running).number);
    serial_print("%s%u\n", refused < 0 ? "-" : "", (unsigned)(refused < 0 ? -refused : refused));
}

static void print_status(void) {
    print_slots();
    if (running < 0) {
        serial_print("no model\n");
    } else if (refused != 0) {
        print_refused("image %u is refused: ");
    } else {
        unsigned error = largest_error();
        serial_print("model %s, image %u: largest error %u.%u%u%u\n", model_name(),
                     (unsigned)slots_read(running).number, error / 1000, error / 100 % 10,
                     error / 10 % 10, error % 10);
    }
}

/* A new model is on trial until it was right once. One that is not: back to the one before. */
static void run_newest(void) {
    running = slots_choose(model_check);
    if (running >= 0 && !slots_start(running)) {
        serial_print("the flash cannot be written: image %u is not tried\n",
                     (unsigned)slots_read(running).number);
        running = slots_choose_confirmed(model_check);
    }
    if (running < 0)
        return;
    const struct slot slot = slots_read(running);
    refused = model_load(slots_image(running), slot.length);
    if (slot.confirmed)
        return;
    if (refused != 0)
        print_refused("image %u on trial: refused, ");
    else if (largest_error() >= 300)
        serial_print("image %u on trial: wrong\n", (unsigned)slot.number);
    else if (slots_confirm(running))
        return;
    system_reset();
}

/* ---- update ---- */

enum { PADDING = 0x1A }; /* of XMODEM's last block */
static bool too_large;

static bool take(void *context, const uint8_t *bytes, uint32_t count) {
    struct slots_update *new = context;
    const uint32_t room = SLOT_IMAGE_MAX - new->length;
    for (; count > room && bytes[count - 1] == PADDING; count--) {
    }
    too_large = count > room;
    return slots_write(new, bytes, count);
}

static void update(void) {
    struct slots_update new;
    serial_print("erasing\n");
    if (!slots_begin(&new, refused == 0 ? running : -1)) {
        serial_print("the flash cannot be erased\n");
        return;
    }
    serial_print("send the image by XMODEM\n");
    too_large = false;
    bool received = xmodem_receive(take, &new);
    if (!received || !slots_finish(&new, model_check)) {
        serial_print(too_large  ? "larger than a slot\n"
                     : received ? "this is no image for this device\n"
                                : "not received\n");
        return;
    }
    serial_print("installed\n");
    system_reset();
}

/* ---- commands ---- */

static void obey(int command) {
    static uint32_t number;
    if (command == 'u')
        update();
    else if (command == 's')
        print_status();
    else if (command == 'r')
        system_reset();
#ifdef BOARD_EMULATES_FLASH
    else if (command == 'c')
        flash_cut(number);
    number = command >= '0' && command <= '9' ? 10 * number + (uint32_t)(command - '0') : 0;
#else
    (void)number;
#endif
}

int main(void) {
    serial_begin();
    flash_begin();
    watchdog_begin();
    serial_print("\nstart\n");
    run_newest();
    print_status();
    for (;;) {
        int command = serial_get(1000);
        if (command >= 0)
            obey(command);
    }
}
