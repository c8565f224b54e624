/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Labels: "[target] group/inner group: marker" names the following work in reports' rows. The
 * target is the name that the program gave the framebuffer or an image in it. A marker holds until
 * the next one or its group's end. And notes of OpenGL calls. Not here: programs' names
 * (attila_shader.c). */
#include "attila_debug_marker.h"

#include <stdio.h>
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_init.h"
#include "attila_screen.h"

static void
attila_debug_marker_copy(char *dst, const char *src, size_t len)
{
   len = MIN2(len, ATTILA_LABEL_BYTES - 1);
   memcpy(dst, src, len);
   dst[len] = '\0';
}

static unsigned
attila_debug_marker_top(const struct attila_labels *l)
{
   return MIN2(l->depth, ATTILA_LABEL_DEPTH - 1);
}

/* If there is no room for all names, the innermost ones are kept. */
static void
attila_debug_marker_compose(const struct attila_labels *l, char *label)
{
   char all[(ATTILA_LABEL_DEPTH + 2) * (ATTILA_LABEL_BYTES + 4)];
   size_t n = 0;
   all[0] = '\0';
   if (l->target[0])
      n += sprintf(all + n, "[%s]", l->target);
   for (unsigned i = 1; i <= attila_debug_marker_top(l); i++)
      n += sprintf(all + n, "%s%s", i > 1 ? "/" : n ? " " : "", l->level[i].group);
   const char *marker = l->level[attila_debug_marker_top(l)].marker;
   if (*marker)
      n += sprintf(all + n, "%s%s", attila_debug_marker_top(l) ? ": " : n ? " " : "", marker);
   if (n < ATTILA_LABEL_BYTES)
      attila_debug_marker_copy(label, all, n);
   else
      snprintf(label, ATTILA_LABEL_BYTES, "...%s", all + n - (ATTILA_LABEL_BYTES - 4));
}

static void
attila_debug_marker_send_label(struct attila_context *ctx)
{
   char label[ATTILA_LABEL_BYTES];
   attila_debug_marker_compose(ctx->labels, label);
   if (!strcmp(label, ctx->labels->sent))
      return;
   const unsigned size = strlen(label), words = size / 4 + 1;
   uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_MARKER, 1 + words);
   p[0] = ATTILA_MARKER_TEXT;
   p[words] = 0;
   memcpy(p + 1, label, size);
   attila_debug_marker_copy(ctx->labels->sent, label, size);
}

static void
attila_debug_marker_emit_string_marker(struct pipe_context *pctx, const char *string, int len)
{
   struct attila_context *ctx = attila_context(pctx);
   if (len < 0)
      return;
   attila_debug_marker_copy(ctx->labels->level[attila_debug_marker_top(ctx->labels)].marker, string,
                            len);
   attila_debug_marker_send_label(ctx);
}

static void
attila_debug_marker_emit_debug_group(struct pipe_context *pctx, const char *string, int len)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_labels *l = ctx->labels;
   if (!string && !l->depth)
      return;
   l->depth += string ? 1 : -1;
   if (string && l->depth < ATTILA_LABEL_DEPTH) {
      attila_debug_marker_copy(l->level[l->depth].group, string, MAX2(len, 0));
      l->level[l->depth].marker[0] = '\0';
   }
   attila_debug_marker_send_label(ctx);
}

static void
attila_debug_marker_set_framebuffer_label(struct pipe_context *pctx, const char *label)
{
   struct attila_context *ctx = attila_context(pctx);
   attila_debug_marker_copy(ctx->labels->target, label ? label : "", label ? strlen(label) : 0);
   attila_debug_marker_send_label(ctx);
}

void
attila_note_call(struct attila_context *ctx)
{
   const struct pipe_api_call *call = ctx->base.api_call;
   char text[160];
   if (!call || !ctx->cs.screen->has_readers)
      return;
   call->print(call, text, sizeof(text));
   const unsigned size = strlen(text), words = size / 4 + 1;
   uint32_t *note = attila_cs_note(&ctx->cs, words);
   if (!note)
      return;
   note[words - 1] = 0;
   memcpy(note, text, size);
}

void
attila_init_context_labels(struct attila_context *ctx)
{
   ctx->base.emit_string_marker = attila_debug_marker_emit_string_marker;
   ctx->base.emit_debug_group = attila_debug_marker_emit_debug_group;
   ctx->base.set_framebuffer_label = attila_debug_marker_set_framebuffer_label;
}
