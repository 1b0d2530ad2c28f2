# SPDX-License-Identifier: Apache-2.0
# Compiles and links one model in a private workspace, which is the current folder.
# Variables: units.mk sets PREPROCESS, ASSEMBLY, TYPES, OBJECTS, ALONE and OWN (numbers); RP_CC (compiler), RP_LD (what
# links) and RP_LAUNCHER (words before the compiler, may be empty) come from the environment. All
# other arguments of a command stand in its response file, so that no user-supplied text is ever read
# by make or by a shell.
#
# No rule looks at times: prerequisites are order-only. What is there was made in this run, for
# toolchain/build.c removes what is older, and what is to be made again.

include units.mk

.PHONY: preprocess assembly objects link
.SUFFIXES:
.DELETE_ON_ERROR:

preprocess: $(PREPROCESS:%=obj/%.i)
assembly: $(ASSEMBLY:%=obj/%.s)
objects: $(OBJECTS:%=obj/%.o) $(TYPES:%=obj/%.types.o)
link: image.elf

# Assembly in them takes in files that a compiler cache does not know of.
ifneq ($(ALONE),)
$(foreach n,$(ALONE),obj/$n.o obj/$n.s): RP_LAUNCHER :=
endif

obj/%.i: | obj/%.cpp.rsp
	@"$$RP_CC" @obj/$*.cpp.rsp

obj/%.types.o: | obj/%.types.rsp
	@$$RP_LAUNCHER "$$RP_CC" @obj/$*.types.rsp

obj/%.s: | obj/%.s.rsp
	@$$RP_LAUNCHER "$$RP_CC" @obj/$*.s.rsp

# ccache finds these without the preprocessor, and needs none to remember them.
ifneq ($(OWN),)
$(OWN:%=obj/%.o): DIRECT := unset CCACHE_NODIRECT CCACHE_NODEPEND; CCACHE_DEPEND=1
endif

obj/%.o: | obj/%.rsp
	@$(DIRECT) $$RP_LAUNCHER "$$RP_CC" @obj/$*.rsp

image.elf: | link.rsp $(OBJECTS:%=obj/%.o)
	@"$$RP_LD" @link.rsp
