/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The commands of a capture, one after the other (cli_stream.h). Not here: what they do
 * (cli_state.c). */
#include "cli/cli_stream.h"

bool
cli_stream_open(struct cli_stream *s, const char *path)
{
   char error[1024];
   *s = (struct cli_stream){.path = path};
   s->reader = sim_capture_open(path, error, sizeof(error));
   if (!s->reader) {
      fprintf(stderr, "attila-sim: %s\n", error);
      s->status = CLI_FILE;
      return false;
   }
   s->memory_size = sim_capture_memory_size(s->reader);
   return true;
}

void
cli_stream_close(struct cli_stream *s)
{
   if (s->reader)
      sim_capture_reader_close(s->reader);
   s->reader = NULL;
}

static bool
cli_stream_next_record(struct cli_stream *s)
{
   char error[1024];
   enum sim_capture_result result = sim_capture_next(s->reader, &s->record, error, sizeof(error));
   if (result == SIM_CAPTURE_ERROR) {
      fprintf(stderr, "attila-sim: %s\n", error);
      s->status = CLI_FILE;
   }
   if (result != SIM_CAPTURE_RECORD)
      s->record = (struct sim_capture_record){.kind = SIM_CAPTURE_COMMANDS};
   s->at = s->skip < s->record.num_words ? s->skip : s->record.num_words;
   s->skip = 0;
   return result == SIM_CAPTURE_RECORD;
}

void
cli_stream_go_on(struct cli_stream *s, uint32_t frame, size_t words)
{
   s->record = (struct sim_capture_record){.kind = SIM_CAPTURE_COMMANDS};
   s->at = 0;
   s->skip = words;
   s->frame = frame;
   s->draw = 0;
}

bool
cli_stream_next(struct cli_stream *s, struct cli_command *c)
{
   while (s->at == s->record.num_words) {
      if (!cli_stream_next_record(s))
         return false;
      if (s->record.kind == SIM_CAPTURE_WAIT) {
         *c = (struct cli_command){
             .frame = s->frame, .draw = s->draw, .wait = true, .fence = s->record.fence};
         s->record.num_words = 0;
         return true;
      }
   }
   const uint32_t *words = s->record.words + s->at;
   *c = (struct cli_command){.number = s->next_number++,
                             .frame = s->frame,
                             .draw = s->draw,
                             .op = ATTILA_CMD_OP(words[0]),
                             .payload = words + 1,
                             .words = ATTILA_CMD_WORDS(words[0])};
   s->at += 1 + (size_t)c->words;
   s->draw += c->op == ATTILA_CMD_DRAW;
   if (c->op == ATTILA_CMD_SWAP || c->op == ATTILA_CMD_END_FRAME) {
      s->frame++;
      s->draw = 0;
   }
   return true;
}
