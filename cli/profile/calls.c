/* SPDX-License-Identifier: Apache-2.0 */
/* Trees of calls: see calls.h. */
#include "cli/profile/calls.h"

#include "elfpack/insn/insn.h"

/* Real stacks have 128 KB. Frames are different ways to reach a function. */
enum { STACK_MAX = 1 << 16, FRAMES_MAX = 1 << 18 };

static struct rp_frame *frame_at(const struct rp_call_tree *calls, uint32_t frame) {
    return &calls->frames.items[frame];
}

static struct rp_open_call *top_of(const struct rp_call_tree *calls) {
    return &calls->stack.items[calls->stack.count - 1];
}

/* ---- frames ---- */

static uint32_t add_frame(struct rp_call_tree *calls, uint32_t parent, uint32_t scope) {
    if (calls->frames.count >= FRAMES_MAX) {
        calls->limit = RP_CALLS_TOO_MANY;
        return parent;
    }
    uint32_t made = (uint32_t)calls->frames.count;
    struct rp_frame *frame = RP_PUSH(calls->arena, &calls->frames);
    *frame = (struct rp_frame){.scope = scope,
                               .parent = parent,
                               .first = RP_NO_FRAME,
                               .last = RP_NO_FRAME,
                               .next = RP_NO_FRAME,
                               .level = RP_CALLS_LEVELS};
    if (parent == RP_NO_FRAME)
        return made;
    struct rp_frame *above = frame_at(calls, parent);
    frame->level = scope == calls->entry            ? 0
                   : above->level < RP_CALLS_LEVELS ? above->level + 1
                                                    : RP_CALLS_LEVELS;
    if (above->last == RP_NO_FRAME)
        above->first = made;
    else
        frame_at(calls, above->last)->next = made;
    above->last = made;
    return made;
}

static uint32_t child_of(struct rp_call_tree *calls, uint32_t parent, uint32_t scope) {
    uint32_t child = frame_at(calls, parent)->first;
    while (child != RP_NO_FRAME && frame_at(calls, child)->scope != scope)
        child = frame_at(calls, child)->next;
    return child != RP_NO_FRAME ? child : add_frame(calls, parent, scope);
}

/* The frame of a function called from another frame; its own one when it is already being called.
 */
static uint32_t callee_of(struct rp_call_tree *calls, uint32_t caller, uint32_t function) {
    for (uint32_t above = caller; above != RP_NO_FRAME; above = frame_at(calls, above)->parent)
        if (frame_at(calls, above)->scope == function)
            return above;
    return child_of(calls, caller, function);
}

/* ---- the list of calls that a frame makes ---- */

/* The position in the caller's list. What calls itself has its time in the frame above already. */
static size_t list_call(struct rp_call_tree *calls, uint32_t caller, uint32_t frame) {
    struct rp_frame *of = frame_at(calls, caller);
    if (of->level >= RP_CALLS_LEVELS || frame_at(calls, frame)->parent != caller)
        return SIZE_MAX;
    of->made_more = of->made_more || of->made.count == RP_CALLS_LISTED;
    if (of->made_more)
        return SIZE_MAX;
    *RP_PUSH(calls->arena, &of->made) = (struct rp_call_made){frame, 0};
    return of->made.count - 1;
}

/* The frame of a scope, while the function that it is or is in is executed in the given frame. */
static uint32_t inside(struct rp_call_tree *calls, uint32_t frame, uint32_t scope) {
    uint32_t parent = calls->scopes->list.items[scope].parent;
    if (parent == RP_NO_SCOPE)
        return frame;
    uint32_t caller = inside(calls, frame, parent), frames = (uint32_t)calls->frames.count;
    uint32_t copy = child_of(calls, caller, scope);
    if (copy == frames)
        (void)list_call(calls, caller, copy);
    return copy;
}

/* ---- calls, returns and jumps ---- */

/* Ends the calls above that depth of the stack. */
static void leave_to(struct rp_call_tree *calls, size_t depth) {
    for (; calls->stack.count > depth; calls->stack.count--) {
        const struct rp_open_call *call = top_of(calls);
        if (call->listed != SIZE_MAX)
            frame_at(calls, call->caller)->made.items[call->listed].count =
                calls->count - call->since;
    }
}

static void enter(struct rp_call_tree *calls, uint32_t function, bool counts,
                  struct rp_open_call call) {
    if (calls->stack.count >= STACK_MAX) {
        calls->limit = RP_CALLS_TOO_DEEP;
        return;
    }
    call.caller = calls->at;
    call.frame = callee_of(calls, calls->at, function);
    call.since = calls->count;
    call.listed = counts ? list_call(calls, call.caller, call.frame) : SIZE_MAX;
    frame_at(calls, call.frame)->calls += counts;
    *RP_PUSH(calls->arena, &calls->stack) = call;
}

/*
 * Goes on in another function without a call. At its start, that is a tail call. Elsewhere two
 * functions share code, or it goes back to a part of a function that was split.
 */
static void jump(struct rp_call_tree *calls, uint32_t function, bool at_start) {
    for (size_t depth = calls->stack.count; depth-- > 0;) {
        if (frame_at(calls, calls->stack.items[depth].frame)->scope == function) {
            leave_to(calls, depth + 1);
            return;
        }
        if (!calls->stack.items[depth].is_jump)
            break;
    }
    enter(calls, function, at_start,
          (struct rp_open_call){.returns_to = top_of(calls)->returns_to, .is_jump = true});
}

/* Returns to the address, if a call is open that does. below: not only the last one. */
static bool give_back(struct rp_call_tree *calls, uint32_t address, bool below) {
    for (size_t depth = calls->stack.count; depth-- > 0;) {
        const struct rp_open_call *call = &calls->stack.items[depth];
        if (call->is_jump)
            continue;
        if (call->returns_to == address) {
            leave_to(calls, depth);
            return true;
        }
        if (!below)
            break;
    }
    return false;
}

/* The last instruction has loaded the pc: a return, a tail call, or a jump inside the function. */
static void follow_jump(struct rp_call_tree *calls, const struct rp_block *block,
                        uint32_t function) {
    bool stays = frame_at(calls, top_of(calls)->frame)->scope == function &&
                 calls->scopes->list.items[function].start != block->start;
    if (!give_back(calls, block->start, false) && !stays)
        (void)give_back(calls, block->start, true);
}

/* ---- blocks ---- */

static void count(struct rp_call_tree *calls, struct rp_block *block) {
    if (block->run_count == 1 && block->known_in == top_of(calls)->frame) {
        calls->at = block->known_frame;
        frame_at(calls, calls->at)->own += block->count;
        return;
    }
    for (size_t i = 0; i < block->run_count; i++) {
        const struct rp_block_run *run = &block->runs[i];
        if (frame_at(calls, top_of(calls)->frame)->scope != run->function)
            jump(calls, run->function,
                 run->start == calls->scopes->list.items[run->function].start);
        calls->at = inside(calls, top_of(calls)->frame, run->scope);
        frame_at(calls, calls->at)->own += run->count;
    }
    block->known_in = top_of(calls)->frame;
    block->known_frame = calls->at;
}

/* What was measured has returned, or is about to be called. */
static void pass_gate(struct rp_call_tree *calls, const struct rp_block *block) {
    if (calls->stack.count != 0) {
        leave_to(calls, 0);
        calls->roots.items[calls->roots.count - 1].count = calls->count;
    }
    calls->waiting = block->flow == RP_FLOW_CALL_REG;
}

static void begin_root(struct rp_call_tree *calls, uint32_t function, uint32_t returns_to) {
    calls->waiting = false;
    calls->count = 0;
    calls->at = add_frame(calls, RP_NO_FRAME, RP_NO_SCOPE);
    *RP_PUSH(calls->arena, &calls->roots) = (struct rp_measured){calls->at, 0};
    enter(calls, function, true, (struct rp_open_call){.returns_to = returns_to});
}

bool rp_calls_block(struct rp_call_tree *calls, struct rp_block *block) {
    const struct rp_block *last = calls->last;
    uint32_t function = block->run_count != 0 ? block->runs[0].function : RP_NO_SCOPE;
    calls->last = block;
    if (block->is_gate) {
        pass_gate(calls, block);
        return true;
    }
    if (calls->stack.count == 0) {
        if (!calls->waiting)
            return true; /* not measured */
        begin_root(calls, function, last->end);
    } else if (last->end != block->start) {
        if (last->flow == RP_FLOW_CALL || last->flow == RP_FLOW_CALL_REG)
            enter(calls, function, true, (struct rp_open_call){.returns_to = last->end});
        else if (last->flow == RP_FLOW_JUMP)
            follow_jump(calls, block, function);
    }
    if (calls->limit == RP_CALLS_FINE)
        count(calls, block);
    calls->count += block->count;
    return calls->limit == RP_CALLS_FINE;
}

uint32_t rp_calls_add(struct rp_call_tree *calls, uint32_t caller, uint32_t function) {
    uint32_t frame = caller != RP_NO_FRAME ? callee_of(calls, caller, function)
                                           : add_frame(calls, RP_NO_FRAME, RP_NO_SCOPE);
    frame_at(calls, frame)->made_more = true;
    if (caller == RP_NO_FRAME)
        *RP_PUSH(calls->arena, &calls->roots) = (struct rp_measured){frame, 0};
    return frame;
}

void rp_calls_sum(struct rp_call_tree *calls) {
    for (size_t i = calls->frames.count; i-- > 0;) {
        struct rp_frame *frame = &calls->frames.items[i];
        frame->total += frame->own;
        if (frame->parent != RP_NO_FRAME)
            frame_at(calls, frame->parent)->total += frame->total;
    }
}
