/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Finds which pages of memory are accessed (cli_trim.h): pages are protected, and the first access
 * to each raises a signal, whose handler notes the page and ends its protection. */
#include "cli/cli_trim.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "session/session.h"

#define PAGE 4096u

enum { ACCESSED = 1, ALSO_ZERO = 2 };

/* For the handler of the signal. */
static struct cli_trim_pages *cli_trim_pages_noting;
static struct sigaction cli_trim_pages_before;
static uintptr_t cli_trim_pages_host; /* bytes of a page of the host */

static void
cli_trim_pages_fault(int signal, siginfo_t *info, void *context)
{
   struct cli_trim_pages *p = cli_trim_pages_noting;
   const uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)p->memory;
   const uintptr_t first = offset - offset % cli_trim_pages_host;
   if (offset >= p->memory_size ||
       mprotect(p->memory + first, cli_trim_pages_host, PROT_READ | PROT_WRITE)) {
      /* A fault of another kind: without this handler it happens again and ends the process. */
      sigaction(signal, &cli_trim_pages_before, NULL);
      return;
   }
   for (uintptr_t at = first; at < first + cli_trim_pages_host; at += PAGE)
      p->wanted[at / PAGE] = ACCESSED;
}

static bool
cli_trim_pages_copy(struct cli_trim_pages *p, struct sim_machine *m)
{
   uint8_t *touched = attila_checkpoint_touched(m);
   p->wanted = calloc(p->memory_size / PAGE, 1);
   p->memory_before = mmap(NULL, p->memory_size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (p->memory_before == MAP_FAILED)
      p->memory_before = NULL;
   const bool ok = touched && p->wanted && p->memory_before;
   for (uint32_t i = 0; ok && i < p->memory_size / SIM_INDEX_PAGE; i++) {
      const size_t at = (size_t)i * SIM_INDEX_PAGE;
      if (touched[i])
         memcpy(p->memory_before + at, p->memory + at, SIM_INDEX_PAGE);
   }
   free(touched);
   return ok;
}

bool
cli_trim_pages_begin(struct cli_trim_pages *p, struct sim_machine *m, uint8_t *memory,
                     uint32_t memory_size)
{
   struct sigaction handler = {.sa_sigaction = cli_trim_pages_fault,
                               .sa_flags = SA_SIGINFO | SA_RESTART};
   *p = (struct cli_trim_pages){.memory = memory, .memory_size = memory_size};
   if (!cli_trim_pages_copy(p, m)) {
      fprintf(stderr, "attila-sim: out of host memory\n");
      return false;
   }
   sigemptyset(&handler.sa_mask);
   cli_trim_pages_host = (uintptr_t)sysconf(_SC_PAGESIZE);
   cli_trim_pages_noting = p;
   if (sigaction(SIGSEGV, &handler, &cli_trim_pages_before) ||
       mprotect(p->memory, p->memory_size, PROT_NONE)) {
      perror("attila-sim: memory cannot be protected");
      cli_trim_pages_end(p);
      return false;
   }
   return true;
}

void
cli_trim_pages_touch(struct cli_trim_pages *p, uint32_t address, uint64_t size)
{
   for (uint64_t at = address; cli_trim_pages_noting && at < address + size && at < p->memory_size;
        at += PAGE - at % PAGE)
      (void)*(volatile uint8_t *)(p->memory + at);
}

void
cli_trim_pages_end(struct cli_trim_pages *p)
{
   if (!cli_trim_pages_noting)
      return;
   mprotect(p->memory, p->memory_size, PROT_READ | PROT_WRITE);
   sigaction(SIGSEGV, &cli_trim_pages_before, NULL);
   cli_trim_pages_noting = NULL;
}

void
cli_trim_pages_want(struct cli_trim_pages *p, uint32_t address, uint32_t size)
{
   for (uint64_t at = address - address % PAGE; at < (uint64_t)address + size; at += PAGE)
      p->wanted[at / PAGE] |= ALSO_ZERO;
}

/* Returns whether the page has to be written. */
static bool
cli_trim_pages_is_needed(const struct cli_trim_pages *p, uint32_t page)
{
   static const uint8_t zeros[PAGE];
   return p->wanted[page] & ALSO_ZERO ||
          (p->wanted[page] && memcmp(p->memory_before + (size_t)page * PAGE, zeros, PAGE) != 0);
}

bool
cli_trim_pages_next(const struct cli_trim_pages *p, uint32_t *address, uint32_t *size,
                    uint32_t most)
{
   const uint32_t num = p->memory_size / PAGE;
   uint32_t page = *address / PAGE, end;
   while (page < num && !cli_trim_pages_is_needed(p, page))
      page++;
   for (end = page; end < num && end - page < most / PAGE && cli_trim_pages_is_needed(p, end);)
      end++;
   *address = page * PAGE;
   *size = (end - page) * PAGE;
   return end > page;
}

uint64_t
cli_trim_pages_bytes(const struct cli_trim_pages *p)
{
   uint64_t pages = 0;
   for (uint32_t page = 0; page < p->memory_size / PAGE; page++)
      pages += cli_trim_pages_is_needed(p, page);
   return pages * PAGE;
}

void
cli_trim_pages_fini(struct cli_trim_pages *p)
{
   cli_trim_pages_end(p);
   if (p->memory_before)
      munmap(p->memory_before, p->memory_size);
   free(p->wanted);
   *p = (struct cli_trim_pages){0};
}
