/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reduces control flow that nests deeper than the machine's stack of masks. A ladder of cases (if,
 * else if, ...) is flat in GLSL but nests in NIR, by a level per case. The inner part of such a
 * ladder moves behind the ladder, into an IF on a flag, which the ladder sets where the part was.
 * Not here: control flow with code behind its inner part, which stays too deep. */
#include "attila_nir.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_control_flow.h"

static unsigned attila_nir_nesting_of(struct exec_list *list);

/* Returns how many levels of IF and LOOP a node has, itself included. */
static unsigned
attila_nir_nesting_of_node(nir_cf_node *node)
{
   if (node->type == nir_cf_node_loop)
      return 1 + attila_nir_nesting_of(&nir_cf_node_as_loop(node)->body);
   if (node->type != nir_cf_node_if)
      return 0;
   nir_if *nif = nir_cf_node_as_if(node);
   const unsigned yes = attila_nir_nesting_of(&nif->then_list),
                  no = attila_nir_nesting_of(&nif->else_list);
   return 1 + MAX2(yes, no);
}

static unsigned
attila_nir_nesting_of(struct exec_list *list)
{
   unsigned deepest = 0;
   foreach_list_typed(nir_cf_node, node, node, list)
   {
      const unsigned levels = attila_nir_nesting_of_node(node);
      deepest = MAX2(deepest, levels);
   }
   return deepest;
}

static struct exec_list *
attila_nir_nesting_branch(nir_if *nif)
{
   return attila_nir_nesting_of(&nif->then_list) > attila_nir_nesting_of(&nif->else_list)
              ? &nif->then_list
              : &nif->else_list;
}

/* Returns the IF at the end of a list if no other node of the list nests deeper, else NULL. */
static nir_if *
attila_nir_nesting_last(struct exec_list *list)
{
   nir_block *end =
       nir_cf_node_as_block(exec_node_data(nir_cf_node, list->tail_sentinel.prev, node));
   nir_cf_node *last = nir_cf_node_prev(&end->cf_node);
   if (!exec_list_is_empty(&end->instr_list) || !last || last->type != nir_cf_node_if)
      return NULL;
   return attila_nir_nesting_of_node(last) == attila_nir_nesting_of(list) ? nir_cf_node_as_if(last)
                                                                          : NULL;
}

struct nesting_cut {
   nir_builder b;
   unsigned first, last; /* indices of the blocks of the part that moves */
   nir_cursor begin; /* start of the part, where values that it takes from the ladder are loaded */
};

static bool
attila_nir_nesting_uses(const struct nesting_cut *c, nir_src *use)
{
   const nir_block *block =
       nir_src_is_if(use) ? nir_cf_node_as_block(nir_cf_node_prev(&nir_src_parent_if(use)->cf_node))
                          : nir_src_parent_instr(use)->block;
   return block->index >= c->first && block->index <= c->last;
}

/* Passes a value of the ladder to the part in a register. */
static void
attila_nir_nesting_keep(struct nesting_cut *c, nir_instr *instr)
{
   nir_def *def = nir_instr_def(instr), *loaded = NULL, *reg = NULL;
   if (!def)
      return;
   nir_foreach_use_including_if_safe(use, def)
   {
      if (!attila_nir_nesting_uses(c, use))
         continue;
      if (instr->type == nir_instr_type_load_const || instr->type == nir_instr_type_undef) {
         nir_instr_move(nir_before_impl(c->b.impl), instr);
         return;
      }
      if (!loaded) {
         reg = nir_decl_reg(&c->b, def->num_components, def->bit_size, 0);
         c->b.cursor = c->begin;
         loaded = nir_load_reg(&c->b, reg);
      }
      nir_src_rewrite(use, loaded);
   }
   if (reg) {
      c->b.cursor = nir_after_instr(instr);
      nir_store_reg(&c->b, def, reg);
   }
}

/* Moves the part of an IF that nests deeper than `room` levels behind the IF. */
static bool
attila_nir_nesting_cut(nir_function_impl *impl, nir_if *ladder, unsigned room)
{
   struct exec_list *path[ATTILA_ISA_MAX_NESTING] = {attila_nir_nesting_branch(ladder)};
   unsigned levels = 1;
   for (nir_if *next; levels < room && (next = attila_nir_nesting_last(path[levels - 1]));)
      path[levels++] = attila_nir_nesting_branch(next);
   if (levels < 2)
      return false;
   nir_metadata_require(impl, nir_metadata_block_index);
   struct exec_list *part = path[levels - 1];
   nir_block *first =
       nir_cf_node_as_block(exec_node_data(nir_cf_node, exec_list_get_head(part), node));
   nir_block *last =
       nir_cf_node_as_block(exec_node_data(nir_cf_node, exec_list_get_tail(part), node));
   struct nesting_cut c = {.b = nir_builder_create(impl),
                           .first = first->index,
                           .last = last->index,
                           .begin = nir_before_block(first)};
   for (unsigned i = 0; i + 1 < levels; i++) {
      foreach_list_typed(nir_cf_node, node, node, path[i])
      {
         if (node->type != nir_cf_node_block)
            continue;
         nir_foreach_instr_safe (instr, nir_cf_node_as_block(node))
            attila_nir_nesting_keep(&c, instr);
      }
   }

   nir_builder *b = &c.b;
   nir_def *flag = nir_decl_reg(b, 1, 32, 0);
   nir_cf_list moved;
   nir_cf_list_extract(&moved, part);
   b->cursor = nir_before_cf_list(part);
   nir_store_reg(b, nir_imm_float(b, 1.0f), flag);
   b->cursor = nir_before_cf_node(&ladder->cf_node);
   nir_store_reg(b, nir_imm_float(b, 0.0f), flag);
   b->cursor = nir_after_cf_node(&ladder->cf_node);
   nir_if *rest = nir_push_if(b, nir_load_reg(b, flag));
   nir_pop_if(b, rest);
   nir_cf_reinsert(&moved, nir_before_cf_list(&rest->then_list));
   return true;
}

/* Reduces the nesting in a list of nodes that is inside so many levels. */
static bool
attila_nir_nesting_list(nir_function_impl *impl, struct exec_list *list, unsigned outside)
{
   bool progress = false;
   if (outside >= ATTILA_ISA_MAX_NESTING)
      return false;
   const unsigned room = ATTILA_ISA_MAX_NESTING - outside;
   foreach_list_typed(nir_cf_node, node, node, list)
   {
      if (attila_nir_nesting_of_node(node) <= room)
         continue;
      if (node->type == nir_cf_node_loop) {
         progress |= attila_nir_nesting_list(impl, &nir_cf_node_as_loop(node)->body, outside + 1);
         continue;
      }
      nir_if *nif = nir_cf_node_as_if(node);
      while (attila_nir_nesting_of_node(node) > room && attila_nir_nesting_cut(impl, nif, room))
         progress = true;
      progress |= attila_nir_nesting_list(impl, &nif->then_list, outside + 1);
      progress |= attila_nir_nesting_list(impl, &nif->else_list, outside + 1);
   }
   return progress;
}

bool
attila_nir_limit_nesting(nir_shader *nir)
{
   bool progress = false;
   nir_foreach_function_impl (impl, nir) {
      const bool changed = attila_nir_nesting_list(impl, &impl->body, 0);
      nir_metadata_preserve(impl, changed ? nir_metadata_none : nir_metadata_all);
      progress |= changed;
   }
   return progress;
}
