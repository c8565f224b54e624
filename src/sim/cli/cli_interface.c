/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim interface: the commands, registers and counters of the machine (src/hw) as Markdown;
 * docs/interface.md is what it prints. Parameters and statistics: cli_info.c.
 */
#include <stdio.h>
#include "cli/cli.h"
#include "hw/attila_cmd.h"

/* Where the next register lies: a word, and a bit in it. */
struct place {
   uint32_t word, bit;
};

static void
print_field(struct place *p, const char *group, const char *name, uint32_t bits, const char *doc)
{
   char where[32];
   if (bits == 32)
      snprintf(where, sizeof(where), "%u", p->word);
   else if (bits == 1)
      snprintf(where, sizeof(where), "%u[%u]", p->word, p->bit);
   else
      snprintf(where, sizeof(where), "%u[%u:%u]", p->word, p->bit + bits - 1, p->bit);
   /* Bits that fill a word up are no registers. */
   if (strncmp(name, "unused_", 7))
      printf("| %s | %s%s | %s |\n", where, group, name, doc);
   p->bit += bits;
   p->word += p->bit / 32;
   p->bit %= 32;
}

static void
print_array(struct place *p, const char *group, const char *name, uint32_t count, const char *doc)
{
   printf("| %u-%u | %s%s[%u] | %s |\n", p->word, p->word + count - 1, group, name, count, doc);
   p->word += count;
}

#define INNER_R(type, name, doc) print_field(p, group, #name, 32, doc);
#define INNER_B(bits, name, doc) print_field(p, group, #name, bits, doc);
#define INNER_RA(type, name, count, doc) print_array(p, group, #name, count, doc);
#define INNER_RS(list, name, count)
#define GROUP(list)                                             \
   static void print_##list(struct place *p, const char *group) \
   {                                                            \
      list(INNER_R, INNER_B, INNER_RA, INNER_RS)                \
   }
GROUP(ATTILA_ATTRIB_REGS)
GROUP(ATTILA_COLOR_REGS)
GROUP(ATTILA_STENCIL_REGS)
GROUP(ATTILA_FS_INPUT_REGS)
GROUP(ATTILA_TEX_REGS)

/* The elements of an array of groups after the first one. */
static void
print_others(struct place *p, const char *name, uint32_t words, uint32_t count)
{
   uint32_t end = p->word + words * (count - 1);
   printf("| %u-%u | %s[1]", p->word, end - 1, name);
   if (count > 2)
      printf(" to [%u]", count - 1);
   printf(" | as %s[0] |\n", name);
   p->word = end;
}

static void
print_registers(void)
{
   struct place place = {0}, *p = &place;
   const char *group = "";
   printf(
       "\n# Registers\n\nDeclared in src/hw/attila_regs.h, %u words of 32 bits in every context. "
       "A place is a word, or bits\nof it; groups are listed once, for their first element. "
       "Bits without a name are 0.\n\n| Place | Register | Meaning |\n|---|---|---|\n",
       ATTILA_NUM_REGS);
#define OUTER_RS(list, name, count) \
   print_##list(p, #name "[0].");   \
   print_others(p, #name, sizeof(ATTILA_GROUP_##list) / 4, count);
   ATTILA_REGS(INNER_R, INNER_B, INNER_RA, OUTER_RS)
}

int
cli_interface(void)
{
   printf("# Commands\n\nDeclared in src/hw/attila_cmd.h. A command is a header word (opcode in "
          "bits 0..7, payload words in\nbits 8..31) and its payload.\n\n"
          "| Opcode | Command | Payload words, at least | Payload: what it does |\n"
          "|---|---|---|---|\n");
#define C(NAME, name, words, doc) \
   printf("| %u | %s | %u | %s |\n", ATTILA_CMD_##NAME, #NAME, words, doc);
   ATTILA_COMMANDS(C)
#undef C
   print_registers();
   printf("\n# Counters\n\nOf WRITE_COUNTER; every context has its own.\n\n"
          "| Number | Counter | Counts |\n|---|---|---|\n");
#define C(name, doc) printf("| %u | %s | %s |\n", ATTILA_COUNTER_##name, #name, doc);
   ATTILA_COUNTERS(C)
#undef C
   return CLI_OK;
}
