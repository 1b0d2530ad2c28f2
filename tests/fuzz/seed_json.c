/* SPDX-License-Identifier: Apache-2.0 */
/* Seeds of JSON: documents for each reader of fuzz_json.c, and the same with each member twice. */
#include "tests/fuzz/seeds.h"

#include <string.h>

void seed_twice(const char *dir, const char *start, const char *name, const char *members) {
    const char *once = rp_format(&seed_arena, "%s{%s}", start, members);
    const char *twice = rp_format(&seed_arena, "%s{%s,\n%s}", start, members, members);
    seed_put(dir, name, once, strlen(once));
    seed_put(dir, rp_format(&seed_arena, "%s_twice", name), twice, strlen(twice));
}

/* The first byte: fuzz_json.c. A 7 is a 0 to it, and a text does not end there. */
void seed_json(const char *dir) {
    static const struct {
        const char *reader, *name, *members;
    } seeds[] = {
        {"\7", "values",
         "\"a\":[1,-2.5e3,true,false,null,\"\\ud83d\\ude00\\n\"],\"b\":{\"c\":{},\"c \":[[]]}"},
        {"\1", "board",
         "\"name\":\"b\",\"title\":\"t\",\"series\":\"stm32h7\",\"clock_hz\":64000000,\"counter\":"
         "\"cycles\",\"caches\":true,\"comment\":\"c\",\"memories\":[{\"name\":\"RAM\",\"address\":"
         "\"0x24000000\",\"size\":\"512K\",\"external\":false,\"npu\":false},{\"name\":\"D\","
         "\"address\":536870912,\"size\":131072,\"executable\":false},{\"name\":\"F\",\"address\":"
         "\"0x08000000\",\"size\":\"2M\",\"kind\":\"flash\",\"needs_firmware\":true}],\"servers\":"
         "{\"jlink\":\"J\",\"machine\":[\"m\",\"n\"]}"},
        {"\2", "custom",
         "\"_comment\":1,\"extra_system_path\":\"/\",\"stedgeai_install_path\":\"/\","
         "\"target_triplet\":\"t\",\"llvm_sysroot\":\"\",\"llvm_install_path\":null,\"dev.x\":[]"},
        {"\3", "quantisation",
         "\"version\":\"4.0\",\"tensors\":{\"w\":{\"format\":{\"class\":\"integer\",\"type\":"
         "\"S8\",\"params\":[[0.5,2],[-3,0]]}},\"x\":{\"format\":{\"type\":\"FLOAT32\",\"params\":"
         "[null,null]}}}"},
        {"\4", "matrix",
         "\"models\":[\"a.c\",{\"name\":\"b\",\"input\":\"b\",\"define\":[\"X=1\"]}],\"targets\":["
         "\"stm32f4\",{\"name\":\"m7\",\"mcu\":\"m7\"}],\"variants\":[{\"name\":\"v\",\"compact\":"
         "true}],\"exclude\":[{\"model\":\"a\",\"target\":\"m7\"}],\"include\":[{\"model\":\"b\","
         "\"weights-threshold\":64}],\"budgets\":[\"flash=1M\"]"},
        {"\5", "report",
         "\"schema_version\":2,\"memory\":{\"flash\":10,\"static\":{\"ram\":4}},\"model\":{"
         "\"name\":\"n\",\"inputs\":[{\"name\":\"x\",\"dtype\":\"int8\",\"shape\":[1,2],\"scale\":"
         "0.5,\"zero_point\":0}]},\"image\":{\"sections\":[{\"name\":\"s\",\"size_bytes\":1}]},"
         "\"symbols\":[{\"name\":\"f\",\"size_bytes\":2,\"section\":\"text\",\"file\":\"a.o\"}],"
         "\"relocations\":{\"total\":1},\"choices\":{\"defines\":[\"X\"]},\"inputs\":[{\"path\":"
         "\"a.c\",\"sha256\":\"0\"}],\"diagnostics\":[{\"severity\":\"warning\",\"id\":\"RP1001\","
         "\"message\":\"m\"}]"},
        {"\5", "board_run",
         "\"images\":[{\"name\":\"n\",\"mode\":\"xip\",\"ram_bytes\":1,\"init\":2,\"inferences\":["
         "3,4],\"profile\":{\"unit\":\"cycles\",\"nodes\":[{\"name\":\"c\",\"cycles\":1}],"
         "\"functions\":[{\"name\":\"f\",\"own\":1}],\"totals\":{\"run\":3}}}]"},
        {"\6", "record",
         "\"inputs\":\"i\",\"outputs\":[{\"name\":\"y\",\"dtype\":\"int8\",\"sha256\":[\"0\","
         "\"1\"],\"saved\":\"/none\"}]"},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        seed_twice(dir, seeds[i].reader, seeds[i].name, seeds[i].members);
}
