/* SPDX-License-Identifier: Apache-2.0 */
/* The GDB servers that --server knows by name: see preset.h. */
#include "toolchain/probe/preset.h"

#include <string.h>

#define WORDS(...)                                                                                 \
    (const char *const[]) {                                                                        \
        __VA_ARGS__, NULL                                                                          \
    }

/* The same instructions take the same time in each run; the socket is in relocpack's folder. */
#define QEMU_WORDS                                                                                 \
    WORDS("-M", "{machine}", "-kernel", "{firmware}", "-S", "-display", "none", "-serial", "none", \
          "-monitor", "none", "-parallel", "none", "-nodefaults", "-icount", "shift=6",            \
          "-chardev", "socket,path={socket},server=on,wait=off,id=gdb", "-gdb", "chardev:gdb")

/* It needs ST's programmer. --halt: a reset stops the core. */
#define STLINK_WORDS                                                                               \
    WORDS("-p", "{port}", "-cp", "{cubeprogrammer}", "-i", "{probe}", "-m", "{stlink-apid}", "-d", \
          "--halt")

#define JLINK_WORDS                                                                                \
    WORDS("-port", "{port}", "-device", "{jlink}", "-if", "swd", "-speed", "auto", "-select",      \
          "usb={probe}", "-singlerun", "-nogui")

#define HINT_PYOCD                                                                                 \
    "install pyOCD: pip install pyocd (today's), or on Debian: apt-get install python3-pyocd"
#define HINT_JLINK "install SEGGER's J-Link software, and put its folder on PATH"
#define HINT_STLINK                                                                                \
    "install ST's STM32CubeCLT or STM32CubeIDE, or put ST-LINK_gdbserver and "                     \
    "STM32_Programmer_CLI on PATH"

static const struct rp_preset presets[] = {
    {
        .name = "qemu",
        .title = "QEMU, without any hardware",
        .program = "qemu-system-arm",
        .words = QEMU_WORDS,
        .needs = "machine",
        .reset_halt = "system_reset",
        .reset_run = "system_reset;cont",
        .hint = "on Debian: apt-get install qemu-system-arm",
    },
    {
        .name = "stlink",
        .title = "ST-LINK GDB server, of ST",
        .program = "ST-LINK_gdbserver",
        .places = "/opt/st/stm32cubeide_*/plugins/*.stlink-gdb-server.linux64_*/tools/bin/"
                  "ST-LINK_gdbserver /opt/st/stm32cubeclt_*/STLink-gdb-server/bin/"
                  "ST-LINK_gdbserver",
        .words = STLINK_WORDS,
        .ready = "Waiting for debugger connection",
        .reset_halt = "reset",
        .hint = HINT_STLINK,
    },
    {
        .name = "openocd",
        .title = "OpenOCD",
        .program = "openocd",
        .words = WORDS("-c", "gdb_port {port}", "-c", "tcl_port disabled", "-c",
                       "telnet_port disabled", "-f", "{openocd}", "-c", "adapter serial {probe}"),
        .needs = "openocd",
        .ready = "for gdb connections",
        .reset_halt = "reset halt",
        .reset_run = "reset run",
        .hint = "on Debian: apt-get install openocd",
    },
    {
        .name = "pyocd",
        .title = "pyOCD",
        .program = "pyocd",
        .words =
            WORDS("gdbserver", "-W", "-p", "{port}", "-T", "0", "-u", "{probe}", "-t", "{pyocd}"),
        .ready = "GDB server ",
        .reset_halt = "reset halt",
        .reset_run = "reset",
        .hint = HINT_PYOCD,
    },
    {
        .name = "pyocd",
        .title = "pyOCD, as Debian has it",
        .program = "pyocd-gdbserver",
        .words = WORDS("-p", "{port}", "-T", "0", "-b", "{probe}", "-t", "{pyocd}"),
        .ready = "GDB server ",
        .hopeless = "Waiting for a debug probe",
        .reset_halt = "reset halt",
        .reset_run = "reset",
        .hint = HINT_PYOCD,
    },
    {
        .name = "jlink",
        .title = "J-Link GDB server, of SEGGER",
        .program = "JLinkGDBServerCLExe",
        .places = "/opt/SEGGER/JLink*/JLinkGDBServerCLExe",
        .words = JLINK_WORDS,
        .needs = "jlink",
        .ready = "Waiting for GDB connection",
        .settle_s = 0.5,
        .reset_halt = "reset",
        .reset_run = "reset;go",
        .hint = HINT_JLINK,
    },
    {
        .name = "jlink",
        .title = "J-Link GDB server, under another name",
        .program = "JLinkGDBServerCL",
        .words = JLINK_WORDS,
        .needs = "jlink",
        .ready = "Waiting for GDB connection",
        .settle_s = 0.5,
        .reset_halt = "reset",
        .reset_run = "reset;go",
        .hint = HINT_JLINK,
    },
    {
        .name = "probe-rs",
        .title = "probe-rs",
        .program = "probe-rs",
        .words = WORDS("gdb", "--gdb-connection-string", "127.0.0.1:{port}", "--chip", "{probe-rs}",
                       "--probe", "{probe}"),
        .ready = "GDB stub",
        .reset_halt = "reset halt",
        .reset_run = "reset",
        .hint = "install probe-rs, see https://probe.rs; its --probe is VENDOR:PRODUCT:SERIAL",
    },
    {
        .name = "blackmagic",
        .title = "Black Magic Probe",
        .scan = "swdp_scan",
        .hint = "its GDB server is in the probe: name the first of its two serial devices, such as "
                "--gdb /dev/ttyACM0",
    },
};

const struct rp_preset *rp_preset_at(size_t index) {
    return index < sizeof presets / sizeof presets[0] ? &presets[index] : NULL;
}

const struct rp_preset *rp_preset_find(const char *name) {
    const struct rp_preset *one;
    for (size_t i = 0; (one = rp_preset_at(i)) != NULL; i++)
        if (strcmp(one->name, name) == 0)
            break;
    return one;
}
