# SPDX-License-Identifier: Apache-2.0
"""The service firmware in examples/stm32n6570-dk, as far as that is possible without the vendor's pack."""
import json
import re

from kit import EXAMPLES, ROOT, check, each, equal, has, test

FOLDER = EXAMPLES / "stm32n6570-dk"


def spans(text, pattern):
    return [(int(start, 0), int(start, 0) + int(size, 0)) for start, size in re.findall(pattern, text)]


@test
def memories_of_the_service_firmware_are_apart(case):
    """Firmware, areas of the service and regions of models share no byte, and are memory of the board."""
    main, script = (FOLDER / "main.c").read_text(), (FOLDER / "service.ld").read_text()
    areas = spans(main, r"\{(0x\w+), (0x\w+), RELOCPACK")
    regions = spans(main, r"\{(0x\w+), (0x\w+)\}")
    parts = [*areas, *regions, *spans(script, r"ORIGIN = (0x\w+), LENGTH = (0x\w+)")]
    equal((len(areas), len(regions), len(parts)), (2, 3, 6), "parts")
    for i, (start, end) in enumerate(parts):
        check(all(end <= other[0] or other[1] <= start for other in parts[i + 1:]), f"{start:#x} is apart")
    scale = {"K": 1 << 10, "M": 1 << 20}
    board = json.loads((ROOT / "templates/boards/stm32n6570-dk.json").read_text())["memories"]
    have = {(int(row["address"], 0) + at) for row in board if row.get("kind") != "flash"
            for at in range(0, int(row["size"][:-1]) * scale[row["size"][-1]], 0x400)}
    for start, end in parts:
        check(all(at in have for at in range(start, end, 0x400)), f"{start:#x} is memory of the board")


@each(["Middlewares/ST/AI", "Lib/AI_Runtime", "."])
def make_of_the_service_firmware(case, place):
    """What is missing is named. The pack is where `generate --pack-dir` finds it, too."""
    pack, cube, out = (case.dir / name for name in ("pack", "cube", "out"))
    words = ["make", "-C", FOLDER, "-n", f"B={case.dir / 'build'}"]
    steps = ((f"PACK={pack}", pack / place / "Npu/ll_aton/ll_aton_runtime.c", "no LL_ATON sources"),
             (f"CUBE={cube}", cube / "Drivers/STM32N6xx_HAL_Driver/Inc/stm32n6xx_hal_conf_template.h", "has no HAL"),
             (f"IMAGE={out}", out / "relocpack_service.c", "relocpack generate --service"))
    for word, path, text in steps:
        words.append(word)
        has(case.run(*words, status=2).err, text)
        path.parent.mkdir(parents=True)
        path.write_text("")
    has(case.run(*words, status=2).err, "No rule to make target")
