/* SPDX-License-Identifier: Apache-2.0 */
/* What follows the end of a section: see ends.h. */
#include "elfpack/check/ends.h"

#include <elf.h>
#include <string.h>

static bool is_placed(const struct rp_input_section *input) {
    return input->state == RP_INPUT_PLACED && input->section->size != 0 &&
           (input->section->flags & SHF_EXECINSTR) != 0;
}

/* The input section of code that ends at the address, or NULL. */
static const struct rp_input_section *section_before(const struct rp_link_inputs *inputs,
                                                     uint32_t end) {
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const struct rp_input_object *object = &inputs->objects.items[i];
        for (size_t k = 1; k < object->elf->section_count; k++) {
            const struct rp_input_section *input = &object->sections[k];
            if (is_placed(input) && input->addr + input->section->size == end)
                return input;
        }
    }
    return NULL;
}

static uint32_t align_of(const struct rp_input_section *input) {
    return input->section->align != 0 ? input->section->align : 1;
}

/*
 * Is the section a compiler's? Compilers name themselves (.comment) and give the size of each
 * function, and after the last function there is only padding.
 */
static bool is_compiled(const struct rp_input_section *input) {
    const struct rp_elf *elf = input->object->elf;
    if (rp_elf_section(elf, ".comment") == NULL)
        return false;
    for (size_t i = 1; i < elf->symbol_count; i++) {
        const struct rp_symbol *symbol = &elf->symbols[i];
        uint32_t function_end = (symbol->value & ~UINT32_C(1)) + symbol->size;
        if (symbol->type == STT_FUNC && symbol->size != 0 && symbol->section < elf->section_count &&
            &elf->sections[symbol->section] == input->section &&
            function_end <= input->section->size &&
            input->section->size - function_end < align_of(input))
            return true;
    }
    return false;
}

static bool refuse(const struct rp_code *code, uint32_t end, const struct rp_input_section *next,
                   struct rp_arena *arena, struct rp_error *err) {
    const char *function = rp_code_function(code, arena, end - 2);
    if (next == NULL)
        rp_fail(err, RP_E_LINK_CHECK,
                "%s: execution runs off the end of the object's last section of code", function);
    else
        rp_fail(err, RP_E_LINK_CHECK,
                "%s: execution runs off the end of its section, and '%s', the next section in the "
                "object, does not follow it in the image",
                function, next->section->name);
    rp_fail_symbol(err, rp_code_label(code, end - 2));
    return rp_hint(err, "end the function with a return or a branch, or put the code that it runs "
                        "into in the same section");
}

bool rp_ends_check(struct rp_code *code, const struct rp_link_inputs *inputs,
                   struct rp_arena *arena, struct rp_error *err) {
    bool ok = true;
    for (size_t i = 0; i < code->open_ends.count; i++) {
        uint32_t end = code->open_ends.items[i];
        const struct rp_input_section *input = section_before(inputs, end);
        struct rp_insn last = rp_code_insn(code, end - 2);
        bool trap = last.size == 2 && (last.code >> 8 == 0xBE || last.code >> 8 == 0xDF);
        if (input == NULL || trap) /* BKPT and SVC may not return */
            continue;
        if (is_compiled(input)) {
            rp_code_set_apart(code, end);
            continue;
        }
        const struct rp_input_object *object = input->object;
        const struct rp_input_section *next = NULL; /* section of code in the object */
        for (size_t k = (size_t)(input - object->sections) + 1;
             next == NULL && k < object->elf->section_count; k++)
            if ((object->sections[k].section->flags & SHF_EXECINSTR) != 0 &&
                object->sections[k].section->size != 0)
                next = &object->sections[k];
        bool follows = next != NULL && is_placed(next) && next->addr - end < align_of(next);
        if (ok && !follows)
            ok = refuse(code, end, next, arena, err);
    }
    return ok;
}
