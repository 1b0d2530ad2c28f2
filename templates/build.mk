# SPDX-License-Identifier: Apache-2.0
# Compiles and links one model in a private workspace, which is the current folder.
# Variables: units.mk sets PREPROCESS, ASSEMBLY, TYPES, OBJECTS, ALONE and OWN (numbers); RP_CC (compiler), RP_LD (what
# links) and RP_LAUNCHER (words before the compiler, may be empty) come from the environment, and RP_PLAIN when
# there is nothing in them that make or a shell would take for its own: then no shell is started. All
# other arguments of a command stand in its response file, so that no user-supplied text is ever read
# by make or by a shell.
#
# No rule looks at times: prerequisites are order-only. What is there was made in this run, for
# toolchain/build/build.c removes what is older, and what is to be made again.

include units.mk

ifeq ($(RP_PLAIN),yes)
CPP := $(RP_CC)
CC = $(RP_LAUNCHER) $(RP_CC)
LD := $(RP_LD)
else
CPP := "$$RP_CC"
CC = $$RP_LAUNCHER "$$RP_CC"
LD := "$$RP_LD"
endif

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
	@$(CPP) @obj/$*.cpp.rsp

obj/%.types.o: | obj/%.types.rsp
	@$(CC) @obj/$*.types.rsp

obj/%.s: | obj/%.s.rsp
	@$(CC) @obj/$*.s.rsp

# ccache finds these without the preprocessor, and needs none to remember them.
ifneq ($(OWN),)
$(OWN:%=obj/%.o): export CCACHE_DEPEND := 1
endif
OTHERS := $(filter-out $(OWN:%=obj/%.o),$(OBJECTS:%=obj/%.o)) $(TYPES:%=obj/%.types.o) $(ASSEMBLY:%=obj/%.s)
ifneq ($(OTHERS),)
$(OTHERS): export CCACHE_NODIRECT := 1
$(OTHERS): export CCACHE_NODEPEND := 1
endif

obj/%.o: | obj/%.rsp
	@$(CC) @obj/$*.rsp

image.elf: | link.rsp $(OBJECTS:%=obj/%.o)
	@$(LD) @link.rsp
