# SPDX-License-Identifier: Apache-2.0
# Compiles and links one model in a private workspace, which is the current folder.
# Variables: units.mk sets PREPROCESS and OBJECTS (numbers); RP_CC (compiler), RP_LAUNCHER (words
# before it, may be empty) and RP_DEPENDENCIES (an option that the launcher wants, may be empty)
# come from the environment. All other arguments of a command stand in its response file, so that no
# user-supplied text is ever read by make or by a shell.

include units.mk

.PHONY: preprocess objects link
.SUFFIXES:
.DELETE_ON_ERROR:

preprocess: $(PREPROCESS:%=obj/%.i)
objects: $(OBJECTS:%=obj/%.o)
link: image.elf

obj/%.i: obj/%.cpp.rsp
	@"$$RP_CC" @$<

obj/%.o: obj/%.rsp
	@$$RP_LAUNCHER "$$RP_CC" $$RP_DEPENDENCIES @$<

image.elf: link.rsp $(OBJECTS:%=obj/%.o)
	@"$$RP_CC" @$<
