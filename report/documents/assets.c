// The style and the script of the page, as they lie beside this file.

#include "report/documents/html.h"

#define ASSET(name, file)                                                      \
  __asm__(                                                                     \
      ".pushsection .rodata\n"                                                 \
      ".global " #name                                                         \
      "\n"                                                                     \
      ".hidden " #name                                                         \
      "\n"                                                                     \
      ".type " #name ", @object\n" #name                                       \
      ":\n"                                                                    \
      ".incbin \"report/documents/" file                                       \
      "\"\n"                                                                   \
      ".byte 0\n"                                                              \
      ".popsection\n")

ASSET(page_css, "page.css");
ASSET(page_js, "page.js");
