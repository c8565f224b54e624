/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim interface: the commands, registers and counters of the machine (src/hw) as Markdown;
 * docs/reference/interface.md is what it prints. Not here: parameters and statistics
 * (cli_describe.c). */
#include <stdio.h>
#include <string.h>
#include "cli/cli.h"
#include "cli/cli_stream.h"
#include "hw/attila_cmd.h"

static void
cli_interface_print_register(const struct sim_field *f)
{
   char where[32];
   if (f->bits == 32)
      snprintf(where, sizeof(where), "%u", f->word);
   else if (f->bits == 1)
      snprintf(where, sizeof(where), "%u[%u]", f->word, f->bit);
   else
      snprintf(where, sizeof(where), "%u[%u:%u]", f->word, f->bit + f->bits - 1, f->bit);
   if (f->elements)
      printf("| %u-%u | %.*s[%u] | %s |\n", f->word, f->word + f->elements - 1,
             (int)(strrchr(f->name, '[') - f->name), f->name, f->elements, f->doc);
   else
      printf("| %s | %s | %s |\n", where, f->name, f->doc);
}

static void
cli_interface_print_registers(void)
{
   unsigned num;
   const struct sim_field *f = sim_fields(&num), *end = f + num;
   printf(
       "\n# Registers\n\nDeclared in src/hw/attila_regs.h, %u words of 32 bits in every context. "
       "A place is a word, or bits\nof it; groups are listed once, for their first element. "
       "Bits without a name are 0.\n\n| Place | Register | Meaning |\n|---|---|---|\n",
       ATTILA_NUM_REGS);
   for (; f < end; f++) {
      if (!f->instance) {
         if (!f->element)
            cli_interface_print_register(f);
         continue;
      }
      /* The groups of an array share one line. */
      const struct sim_field *first = f;
      while (f + 1 < end && f[1].instance)
         f++;
      printf("| %u-%u | %s[1]", first->word, f->word, first->group);
      if (f->instance > 1)
         printf(" to [%u]", f->instance);
      printf(" | as %s[0] |\n", first->group);
   }
}

int
cli_interface(struct cli_options *o, char **args)
{
   printf("# Commands\n\nDeclared in src/hw/attila_cmd.h. A command is a header word (opcode in "
          "bits 0..7, payload words in\nbits 8..31) and its payload.\n\n"
          "| Opcode | Command | Payload words, at least | Payload: what it does |\n"
          "|---|---|---|---|\n");
#define C(NAME, name, words, doc) \
   printf("| %u | %s | %u | %s |\n", ATTILA_CMD_##NAME, #NAME, words, doc);
   ATTILA_COMMANDS(C)
#undef C
   cli_interface_print_registers();
   printf("\n# Counters\n\nOf WRITE_COUNTER; every context has its own.\n\n"
          "| Number | Counter | Counts |\n|---|---|---|\n");
#define C(name, doc) printf("| %u | %s | %s |\n", ATTILA_COUNTER_##name, #name, doc);
   ATTILA_COUNTERS(C)
#undef C
   return CLI_OK;
}
