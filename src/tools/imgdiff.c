/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-imgdiff: compares two pictures the way the project judges them: PSNR over all colour
 * channels, and 8x8 blocks that differ so much that geometry must be missing or extra. Writes
 * signed difference images (grey where equal, lighter where the first is brighter), as Zhang et al.
 * do. Not here: making the pictures (scripts/compare).
 */
#include <getopt.h>
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BLOCK 8
#define BLOCK_LIMIT \
   48.0 /* mean absolute difference of a block's brightest channel that means another surface */

static const char help[] =
    "Usage: attila-imgdiff [options] FIRST.png SECOND.png\n\n"
    "Prints PSNR in dB, the largest channel difference, how many pixels differ and how many 8x8 "
    "blocks differ by more\n"
    "than 48 levels on average (missing or extra geometry).\n\n"
    "  --out FILE       write a signed difference image: 128 + (first - second) * gain\n"
    "  --gain G         of that image (default 4)\n"
    "  --min-psnr DB    exit 1 below it\n"
    "  --max-blocks N   exit 1 when more blocks differ (default: not checked)\n"
    "  --crc            print the CRC-32 of each picture's RGB pixels instead (any number of "
    "files)\n"
    "  --quiet          one line: psnr max-difference pixels blocks\n"
    "  --help           this text\n\n"
    "Exit: 0 alike enough, 1 not, 2 a file cannot be read or the sizes differ.\n";

struct picture {
   unsigned width, height;
   uint8_t *rgb;
};

static bool
imgdiff_load(const char *path, struct picture *p)
{
   png_image image = {.version = PNG_IMAGE_VERSION};
   if (!png_image_begin_read_from_file(&image, path)) {
      fprintf(stderr, "attila-imgdiff: %s: %s\n", path, image.message);
      return false;
   }
   image.format = PNG_FORMAT_RGB;
   p->width = image.width;
   p->height = image.height;
   p->rgb = malloc(PNG_IMAGE_SIZE(image));
   if (!p->rgb || !png_image_finish_read(&image, NULL, p->rgb, 0, NULL)) {
      fprintf(stderr, "attila-imgdiff: %s: %s\n", path, p->rgb ? image.message : "out of memory");
      png_image_free(&image);
      return false;
   }
   return true;
}

/* For golden images: does not depend on how a PNG was compressed. */
static int
imgdiff_print_crcs(char **paths, int count)
{
   for (int i = 0; i < count; i++) {
      struct picture p;
      if (!imgdiff_load(paths[i], &p))
         return 2;
      printf("%08lx %ux%u\n", crc32(0, p.rgb, p.width * p.height * 3), p.width, p.height);
      free(p.rgb);
   }
   return 0;
}

static unsigned
imgdiff_different_blocks(const struct picture *a, const struct picture *b)
{
   unsigned blocks = 0;
   for (unsigned by = 0; by < a->height; by += BLOCK) {
      for (unsigned bx = 0; bx < a->width; bx += BLOCK) {
         double sum[3] = {0};
         unsigned n = 0;
         for (unsigned y = by; y < by + BLOCK && y < a->height; y++) {
            for (unsigned x = bx; x < bx + BLOCK && x < a->width; x++, n++) {
               for (unsigned c = 0; c < 3; c++) {
                  size_t i = ((size_t)y * a->width + x) * 3 + c;
                  sum[c] += abs(a->rgb[i] - b->rgb[i]);
               }
            }
         }
         double worst = fmax(sum[0], fmax(sum[1], sum[2])) / n;
         blocks += worst > BLOCK_LIMIT;
      }
   }
   return blocks;
}

static bool
imgdiff_write_difference(const char *path, const struct picture *a, const struct picture *b,
                         double gain)
{
   size_t size = (size_t)a->width * a->height * 3;
   uint8_t *out = malloc(size);
   if (!out)
      return false;
   for (size_t i = 0; i < size; i++) {
      double v = 128 + (a->rgb[i] - b->rgb[i]) * gain;
      out[i] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
   }
   png_image image = {.version = PNG_IMAGE_VERSION,
                      .width = a->width,
                      .height = a->height,
                      .format = PNG_FORMAT_RGB};
   bool ok = png_image_write_to_file(&image, path, 0, out, 0, NULL);
   if (!ok)
      fprintf(stderr, "attila-imgdiff: %s: %s\n", path, image.message);
   free(out);
   return ok;
}

struct imgdiff_options {
   const char *out;
   double gain, min_psnr;
   long max_blocks;
   bool quiet, crc;
};

/* Reads the options. Returns false when the program is to end with *status. */
static bool
imgdiff_options(struct imgdiff_options *o, int argc, char **argv, int *status)
{
   static const struct option options[] = {{"out", 1, 0, 'o'},      {"gain", 1, 0, 'g'},
                                           {"min-psnr", 1, 0, 'p'}, {"max-blocks", 1, 0, 'b'},
                                           {"quiet", 0, 0, 'q'},    {"crc", 0, 0, 'c'},
                                           {"help", 0, 0, 'h'},     {0}};
   for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
      switch (c) {
      case 'o':
         o->out = optarg;
         break;
      case 'g':
         o->gain = atof(optarg);
         break;
      case 'p':
         o->min_psnr = atof(optarg);
         break;
      case 'b':
         o->max_blocks = atol(optarg);
         break;
      case 'q':
         o->quiet = true;
         break;
      case 'c':
         o->crc = true;
         break;
      case 'h':
         fputs(help, stdout);
         *status = 0;
         return false;
      default:
         fputs("Try attila-imgdiff --help.\n", stderr);
         *status = 2;
         return false;
      }
   }
   return true;
}

int
main(int argc, char **argv)
{
   struct imgdiff_options o = {.gain = 4, .min_psnr = -1, .max_blocks = -1};
   int status;
   if (!imgdiff_options(&o, argc, argv, &status))
      return status;
   if (o.crc)
      return imgdiff_print_crcs(argv + optind, argc - optind);
   if (argc - optind != 2) {
      fputs(help, stderr);
      return 2;
   }
   struct picture a, b;
   if (!imgdiff_load(argv[optind], &a) || !imgdiff_load(argv[optind + 1], &b))
      return 2;
   if (a.width != b.width || a.height != b.height) {
      fprintf(stderr, "attila-imgdiff: sizes differ: %ux%u and %ux%u\n", a.width, a.height, b.width,
              b.height);
      return 2;
   }
   double square = 0;
   int largest = 0;
   size_t pixels = 0, size = (size_t)a.width * a.height;
   for (size_t i = 0; i < size; i++) {
      bool differs = false;
      for (unsigned ch = 0; ch < 3; ch++) {
         int d = a.rgb[3 * i + ch] - b.rgb[3 * i + ch];
         square += (double)d * d;
         largest = abs(d) > largest ? abs(d) : largest;
         differs |= d != 0;
      }
      pixels += differs;
   }
   /* Equal pictures have infinite PSNR; 99.99 keeps the column numeric. */
   double psnr =
       square == 0 ? 99.99 : fmin(99.99, 10 * log10(255.0 * 255.0 * 3.0 * (double)size / square));
   unsigned blocks = imgdiff_different_blocks(&a, &b);
   if (o.quiet)
      printf("%.2f %d %zu %u\n", psnr, largest, pixels, blocks);
   else
      printf("PSNR %.2f dB, largest difference %d of 255, %zu of %zu pixels differ, %u blocks of "
             "other geometry\n",
             psnr, largest, pixels, size, blocks);
   if (o.out && !imgdiff_write_difference(o.out, &a, &b, o.gain))
      return 2;
   free(a.rgb);
   free(b.rgb);
   return (o.min_psnr >= 0 && psnr < o.min_psnr) ||
          (o.max_blocks >= 0 && blocks > (unsigned long)o.max_blocks);
}
