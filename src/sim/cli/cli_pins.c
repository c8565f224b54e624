/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim describe --format units (docs/reference/units.md): every unit of a machine drawn as a
 * chip, from the netlist (units/units.h): signals that it receives on the left, signals that it
 * sends on the right. Not here: parameters and statistics of the units (cli_describe.c). */
#include "box/netlist.h"
#include "cli/cli.h"

#define PIN_TEXT 48 /* bytes of the figures of a signal */
#define MAX_PINS 64 /* signals at a side of a unit */

struct pin {
   const char *name;
   enum netlist_box from, to;
   uint32_t how_many, bandwidth, latency, capacity; /* how_many 0: this machine lacks the signal */
};

/* A line of SIM_BOXES: its code, and the alternative classes, of which a machine has one. */
struct pin_unit {
   const struct sim_box_class *cls, *other; /* other may be NULL */
};

#define BOX(class, member, group, how_many) extern const struct sim_box_class class##_class;
#define ALT(class, other, member, group, condition, how_many) \
   extern const struct sim_box_class class##_class, other##_class;
SIM_BOXES(BOX, ALT)
#undef ALT
#undef BOX

static const struct pin_unit pin_units[NETLIST_NUM_BOXES] = {
#define BOX(class, member, group, how_many) {&class##_class, NULL},
#define ALT(class, other, member, group, condition, how_many) {&class##_class, &other##_class},
    SIM_BOXES(BOX, ALT)
#undef ALT
#undef BOX
};

/* Finds the signals at one side of a unit; returns how many there are. */
static unsigned
cli_pins_of(const struct pin *all, unsigned num, enum netlist_box unit, bool sends,
            const struct pin **side)
{
   unsigned n = 0;
   for (unsigned i = 0; i < num && n < MAX_PINS; i++) {
      if ((sends ? all[i].from : all[i].to) == unit)
         side[n++] = &all[i];
   }
   return n;
}

/* Writes the figures of a signal, such as "2x1 +3 /64", or "none" if this machine lacks it. */
static const char *
cli_pins_figures(char text[PIN_TEXT], const struct pin *p)
{
   if (p->how_many)
      snprintf(text, PIN_TEXT, "%ux%u +%u /%u", p->how_many, p->bandwidth, p->latency, p->capacity);
   else
      snprintf(text, PIN_TEXT, "none");
   return text;
}

static void
cli_pins_draw(const struct pin *all, unsigned num, enum netlist_box unit)
{
   const struct pin *in[MAX_PINS], *out[MAX_PINS];
   char text[PIN_TEXT];
   const unsigned ins = cli_pins_of(all, num, unit, false, in),
                  outs = cli_pins_of(all, num, unit, true, out);
   const unsigned rows = ins > outs ? ins : outs;
   printf("```\n%43s+---------+\n", "");
   for (unsigned r = 0; r < rows; r++) {
      if (r < ins)
         printf("%-8s %12s %16s  -->", pin_units[in[r]->from].cls->unit, in[r]->name,
                cli_pins_figures(text, in[r]));
      else
         printf("%43s", "");
      printf("| %-7s |", r == (rows - 1) / 2 ? pin_units[unit].cls->unit : "");
      if (r < outs)
         printf("-->  %-12s %-16s %s", out[r]->name, cli_pins_figures(text, out[r]),
                pin_units[out[r]->to].cls->unit);
      printf("\n");
   }
   printf("%43s+---------+\n```\n", "");
}

void
cli_describe_pins(const struct sim_config *c)
{
   const struct pin all[] = {
#define SIG(member, from, to, how_many, message, bandwidth, latency, capacity) \
   {#member, NETLIST_##from, NETLIST_##to, how_many, bandwidth, latency, capacity},
       SIM_SIGNALS(SIG) SIM_TEX_SIGNALS(SIG)
#undef SIG
   };
   printf(
       "# Units and their signals\n\n"
       "Every unit with the signals that it receives, on the left with their senders, and those\n"
       "that it sends, on the right with their receivers. `attila-sim describe --format units`\n"
       "prints this page; with `--config` or `--set`, that of another machine. `2x4 +3 /64`: two\n"
       "such signals, each takes 4 messages a cycle, which arrive 3 cycles later; 64 are on\n"
       "their way or wait for the receiver at most. `none`: the machine lacks the signal.\n"
       "[statistics.md](statistics.md) lists what the units count,\n"
       "[parameters.md](parameters.md) what can be set.\n");
   for (unsigned u = 0; u < NETLIST_NUM_BOXES; u++) {
      const struct pin_unit *unit = &pin_units[u];
      printf("\n## %s%s%s (%s)\n\n%s.\n\n", unit->cls->name, unit->other ? ", " : "",
             unit->other ? unit->other->name : "", unit->cls->unit, unit->cls->doc);
      cli_pins_draw(all, sizeof(all) / sizeof(all[0]), (enum netlist_box)u);
   }
}
