// getopt and getopt_long.
//
// What it knows from call to call lies with the library's other variables, so
// that it is put back after a schedule.  Words that are no options go behind
// those that are, when the next option is asked for, as GNU's library does it;
// with + before the letters, or POSIXLY_CORRECT, the first of them is the end.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

// As variables.c has them.
typedef struct Options {
  char *argument; // optarg
  int index, tells_errors, letter;
  char **arguments; // of main
  char *place;      // in a word of several letters; NULL: a new word is due
  int first, last;  // words before `index` that are no options
} Options;

_Static_assert(offsetof(Options, place) == 32, "variables.c has it so");

static Options *state(void) {
  Options *options = (Options *)(uintptr_t)posix_variable("optarg");
  world_touch(options, sizeof *options, true);
  return options;
}

static bool is_plain(const char *word) {
  world_touch(word, strlen(word) + 1, false);
  return word[0] != '-' || !word[1];
}

// Words from `first` on go behind those from `last` on.
static void exchange(Options *options, char **words) {
  int plain = options->last - options->first,
      moved = options->index - options->last;
  world_touch(words + options->first, (uint64_t)(plain + moved) * sizeof *words,
              true);
  for (int i = 0; i < moved; i++) {
    char **from = words + options->last + i, *word = *from;
    memmove(words + options->first + i + 1, words + options->first + i,
            (size_t)plain * sizeof *words);
    words[options->first + i] = word;
  }
  options->first += moved;
  options->last = options->index;
}

static void gather(Options *options, char **words) {
  if (options->first != options->last && options->last != options->index)
    exchange(options, words);
  else if (options->last != options->index)
    options->first = options->index;
}

static void pass_plain(Options *options, int count, char **words) {
  gather(options, words);
  while (options->index < count && is_plain(words[options->index]))
    options->index++;
  options->last = options->index;
}

static void pass_all(Options *options, int count, char **words) {
  options->index++;
  if (options->first == options->last)
    options->first = options->index;
  else
    gather(options, words);
  options->last = options->index = count;
}

// False: there is no other option.
static bool next_word(Options *options, int count, char **words,
                      bool keeps_order) {
  if (options->first > options->index)
    options->first = options->index;
  if (options->last > options->index)
    options->last = options->index;
  if (!keeps_order)
    pass_plain(options, count, words);
  if (options->index < count && !strcmp(words[options->index], "--"))
    pass_all(options, count, words);
  if (options->index >= count) {
    if (options->first != options->last)
      options->index = options->first;
    return false;
  }
  if (is_plain(words[options->index]))
    return false;
  options->place = words[options->index] + 1;
  return true;
}

static int missing(Options *options, int letter, const char *letters) {
  options->letter = letter;
  return *letters == ':' ? ':' : '?';
}

// The argument of a letter is the rest of its word, or the next one.
static int take_argument(Options *options, int count, char **words, int letter,
                         const char *letters, bool is_optional) {
  char *rest = options->place;
  options->place = NULL;
  options->argument = NULL;
  if (*rest) {
    options->argument = rest;
    options->index++;
  } else if (!is_optional && options->index >= count) {
    return missing(options, letter, letters);
  } else if (!is_optional) {
    options->argument = words[options->index++];
  }
  return letter;
}

// ------------------------------------------------------------- long options

typedef struct Long {
  const struct option *known; // NULL: there are letters only
  int *place;
} Long;

typedef struct LongName {
  const char *text;
  size_t length;
} LongName;

static bool is_alike(const struct option *a, const struct option *b) {
  return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

// A whole name, or the beginning of one alone.  NULL: there is none.
static const struct option *find_long(const struct option *known,
                                      LongName name) {
  const struct option *found = NULL;
  bool is_one = true;
  for (; known->name; known++) {
    world_touch(known, sizeof *known, false);
    world_touch(known->name, strlen(known->name) + 1, false);
    if (strncmp(known->name, name.text, name.length) != 0)
      continue;
    if (!known->name[name.length])
      return known;
    is_one = is_one && (!found || is_alike(found, known));
    found = found ? found : known;
  }
  return is_one ? found : NULL;
}

static bool take_long_argument(Options *options, int count, char **words,
                               const struct option *option, char *behind) {
  options->letter = option->val;
  if (*behind && option->has_arg == no_argument)
    return false;
  if (*behind) {
    options->argument = behind + 1;
    return true;
  }
  if (option->has_arg != required_argument)
    return true;
  if (options->index >= count)
    return false;
  options->argument = words[options->index++];
  return true;
}

// `text` is in the word that is due.
static int take_long(Options *options, int count, char **words,
                     const char *letters, const Long *wanted, char *text) {
  const struct option *known = wanted->known;
  char *behind = text + strcspn(text, "=");
  options->index++;
  const struct option *option =
      find_long(known, (LongName){text, (size_t)(behind - text)});
  options->place = NULL;
  int before = options->letter;
  if (!option) {
    options->letter = 0;
    return '?';
  }
  if (!take_long_argument(options, count, words, option, behind))
    return *behind || *letters != ':' ? '?' : ':';
  options->letter = before;
  if (wanted->place) {
    world_touch(wanted->place, sizeof *wanted->place, true);
    *wanted->place = (int)(option - known);
  }
  if (!option->flag)
    return option->val;
  world_touch(option->flag, sizeof *option->flag, true);
  *option->flag = option->val;
  return 0;
}

// ----------------------------------------------------------------- letters ---

// Behind W; what follows is a long option.
static int next_letter(Options *options, int count, char **words,
                       const char *letters, const Long *wanted) {
  int letter = (unsigned char)*options->place++;
  const char *known =
      letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
  bool is_long = known && letter == 'W' && known[1] == ';' && wanted->known;
  if (!*options->place)
    options->index++;
  if (is_long && !*options->place && options->index >= count)
    return missing(options, letter, letters);
  if (is_long)
    return take_long(options, count, words, letters, wanted,
                     *options->place ? options->place : words[options->index]);
  if (known && known[1] == ':')
    return take_argument(options, count, words, letter, letters,
                         known[2] == ':');
  if (!known)
    options->letter = letter;
  return known ? letter : '?';
}

// -------------------------------------------------------------------- both

static int posix_getopt_long(int count, char **words, const char *letters,
                             const struct option *known, int *place) {
  Options *options = state();
  world_touch(letters, strlen(letters) + 1, false);
  if (*letters == '-')
    world_fail(MISHAP_REFUSED,
               "getopt with - before its letters is not "
               "executed");
  bool keeps_order = *letters == '+' || posix_getenv("POSIXLY_CORRECT");
  letters += *letters == '+';
  if (!options->index) {
    options->index = options->first = options->last = 1;
    options->place = NULL;
  }
  options->argument = NULL;
  if ((!options->place || !*options->place) &&
      !next_word(options, count, words, keeps_order))
    return -1;
  Long wanted = {known, place};
  bool is_long = known && options->place == words[options->index] + 1 &&
                 *options->place == '-';
  return is_long ? take_long(options, count, words, letters, &wanted,
                             options->place + 1)
                 : next_letter(options, count, words, letters, &wanted);
}

static int posix_getopt(int count, char **words, const char *letters) {
  return posix_getopt_long(count, words, letters, NULL, NULL);
}

const PosixCall option_calls[] = {
    POSIX_LEAVER(getopt), POSIX_LEAVER(getopt_long), {NULL, NULL, 0}};
