// Pictures of the page, as SVG: the barrier interval of a race, and the cycle
// of a deadlock.

#include "report/documents/html.h"

#include <math.h>
#include <string.h>

// At most so many characters, by whole ones.
static const char *shortened(Arena *arena, const char *text, size_t most) {
  size_t count = 0, bytes = 0;
  while (text[bytes] && count < most) {
    bytes++;
    while ((text[bytes] & 0xc0) == 0x80)
      bytes++;
    count++;
  }
  return text[bytes] ? arena_printf(arena, "%.*s\xe2\x80\xa6", (int)bytes, text)
                     : text;
}

static size_t count_of(const char *text) {
  size_t count = 0;
  for (; *text; text++)
    count += (*text & 0xc0) != 0x80;
  return count;
}

// Where there is no room for the folder the file's name stays.
static const char *place_within(const Page *page, Loc where, size_t most) {
  const char *place = place_shown(page->results, where);
  const char *slash = strrchr(place, '/');
  return slash && count_of(place) > most
             ? arena_printf(&page->results->arena, "\xe2\x80\xa6%s", slash)
             : place;
}

static void print_text(const Page *page, double x, double y, const char *class,
                       const char *text) {
  fprintf(page->out, "<text x=\"%.0f\" y=\"%.0f\" class=\"%s\">", x, y, class);
  print_escaped(page->out, shortened(&page->results->arena, text, 64));
  fputs("</text>", page->out);
}

// --------------------------------------------------------------- intervals ---

enum { LANE = 52, WIDTH = 520, POST = 14, DOT = 60 };

// Without the bytes, for which there is no room and which are told above.
static const char *without_bytes(Arena *arena, const char *text) {
  const char *bytes = strstr(text, " (byte");
  return bytes ? arena_printf(arena, "%.*s", (int)(bytes - text), text) : text;
}

static void print_thread(const Page *page, const Participant *one,
                         unsigned lane) {
  int y = 52 + (int)lane * LANE;
  const char *class = lane ? "b" : "a";
  fprintf(page->out,
          "<path class=\"%s\" d=\"M%d %dH%d\"/><circle class=\"%s\" cx=\"%d\" "
          "cy=\"%d\" r=\"6\"/>",
          class, POST, y, WIDTH - DOT, class, WIDTH - DOT, y);
  print_text(page, POST + 10, y - 8, "what",
             arena_printf(&page->results->arena, "%s %s", one->who,
                          one->does
                              ? without_bytes(&page->results->arena, one->does)
                              : ""));
  print_text(page, POST + 10, y + 17, "where",
             place_within(page, one->where, 64));
}

void html_timeline(const Page *page, const Alarm *alarm) {
  size_t count = alarm->participants.count;
  if (!alarm->has_interval || count != 2)
    return;
  const char *from = alarm->barrier.line
                         ? arena_printf(&page->results->arena, "barrier, %s",
                                        place_within(page, alarm->barrier, 37))
                         : "the kernel starts";
  fprintf(page->out,
          "<div><h4>Barrier interval</h4><svg class=\"interval\" "
          "viewBox=\"0 0 %d 150\" width=\"%d\" height=\"150\" role=\"img\" "
          "aria-label=\"both accesses are in one barrier interval\">",
          WIDTH, WIDTH);
  fprintf(page->out,
          "<rect class=\"span\" x=\"%d\" y=\"22\" width=\"%d\" "
          "height=\"%d\"/><path class=\"post\" d=\"M%d 14V%d\"/>",
          POST, WIDTH - POST - DOT + 20, 2 * LANE + 4, POST, 34 + 2 * LANE);
  print_text(page, 2, 10, "where", from);
  print_text(page, WIDTH - 180, 10, "where", "no barrier orders the two");
  for (unsigned i = 0; i < 2; i++)
    print_thread(page, &alarm->participants.at[i], i);
  fputs("</svg></div>\n", page->out);
}

// ------------------------------------------------------------------ cycles ---

void html_arrow(const Page *page) {
  fputs(
      "<svg width=\"0\" height=\"0\" class=\"cycle\" aria-hidden=\"true\">"
      "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
      "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
      "<path d=\"M0 0L8 4L0 8z\"/></marker></defs></svg>\n",
      page->out);
}

enum { MOST_NODES = 10 };

static const double radius = 120, node_width = 204, node_height = 46,
                    middle = 240;

typedef struct Cycle {
  int nodes[MOST_NODES];
  unsigned count;
  bool is_closed; // the last waits for the first
} Cycle;

// From `start` on, along who waits for whom, until one comes again.
static Cycle follow(const Alarm *alarm, int start) {
  Cycle cycle = {0};
  int at = start;
  do {
    cycle.nodes[cycle.count++] = at;
    at = alarm->standpoints.at[at].waits_for;
  } while (at >= 0 && at != start && cycle.count < MOST_NODES);
  cycle.is_closed = at == start;
  return cycle;
}

// The shortest cycle; where there is none, the longest chain.
static Cycle find_cycle(const Alarm *alarm) {
  Cycle best = {0};
  for (size_t i = 0; i < alarm->standpoints.count; i++) {
    Cycle cycle = follow(alarm, (int)i);
    bool is_better = cycle.is_closed != best.is_closed ? cycle.is_closed
                     : cycle.is_closed ? cycle.count < best.count
                                       : cycle.count > best.count;
    if (is_better)
      best = cycle;
  }
  return best;
}

static double angle_of(const Cycle *cycle, unsigned index) {
  static const double turn = 6.283185307179586;
  return turn * index / cycle->count - turn / 4;
}

static double x_of(const Cycle *cycle, unsigned index) {
  return cycle->count == 1
             ? middle
             : middle + radius * 0.95 * cos(angle_of(cycle, index));
}

static double y_of(const Cycle *cycle, unsigned index) {
  return 150 + radius * 0.85 * sin(angle_of(cycle, index));
}

// An arrow bent outwards, from the edge of one node to that of the next.
static void print_arrow(const Page *page, const Cycle *cycle, unsigned from,
                        unsigned to) {
  double x1 = x_of(cycle, from), y1 = y_of(cycle, from);
  double x2 = x_of(cycle, to), y2 = y_of(cycle, to);
  double side = cycle->count == 2 ? (from ? -1.0 : 1.0) * 40 : 0;
  if (cycle->count == 1) {
    fprintf(page->out,
            "<path class=\"waits\" marker-end=\"url(#arrow)\" d=\"M%.0f %.0f"
            "c60 -60 60 90 4 50\"/>",
            x1 + node_width / 2, y1 - 4);
    return;
  }
  double dy = y2 > y1 + node_height   ? node_height / 2
              : y2 < y1 - node_height ? -node_height / 2
                                      : 0;
  double dx = dy != 0 ? 0 : x2 > x1 ? node_width / 2 : -node_width / 2;
  fprintf(page->out,
          "<path class=\"waits\" marker-end=\"url(#arrow)\" d=\"M%.0f %.0f"
          "Q%.0f %.0f %.0f %.0f\"/>",
          x1 + dx + side / 2, y1 + dy, (x1 + x2) / 2 + side * 1.6,
          (y1 + y2) / 2, x2 - dx + side / 2, y2 - dy);
}

// Without folders, for which a node has no room.
static const char *place_inside(const Page *page, Loc where) {
  const char *place = place_shown(page->results, where);
  const char *name = strrchr(place, '/');
  return name ? name + 1 : place;
}

static void print_node(const Page *page, const Cycle *cycle, unsigned index,
                       const Standpoint *at) {
  double x = x_of(cycle, index), y = y_of(cycle, index);
  fprintf(page->out,
          "<rect class=\"warp\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
          "height=\"%.0f\" rx=\"5\"/>",
          x - node_width / 2, y - node_height / 2, node_width, node_height);
  fprintf(page->out, "<g text-anchor=\"middle\">");
  print_text(page, x, y - 8, "who", at->who);
  print_text(page, x, y + 5, "what",
             shortened(&page->results->arena, at->what, 34));
  print_text(
      page, x, y + 17, "where",
      shortened(&page->results->arena, place_inside(page, at->where), 34));
  fputs("</g>", page->out);
}

static void print_table(const Page *page, const Alarm *alarm) {
  fputs("<table class=\"witness\">", page->out);
  for (size_t i = 0; i < alarm->standpoints.count; i++) {
    const Standpoint *at = &alarm->standpoints.at[i];
    fputs("<tr>", page->out);
    html_element(page, "th", "", at->who);
    html_element(page, "td", "", at->what);
    html_element(page, "td", "place", place_shown(page->results, at->where));
    html_element(page, "td", "", at->help ? at->help : "");
    fputs("</tr>", page->out);
  }
  fputs("</table>", page->out);
}

static void print_picture(const Page *page, const Alarm *alarm) {
  Cycle cycle = find_cycle(alarm);
  fputs(
      "<svg class=\"cycle\" viewBox=\"0 0 480 300\" width=\"480\" "
      "height=\"300\" role=\"img\" aria-label=\"warps that wait for each "
      "other\">",
      page->out);
  for (unsigned i = 0; i + !cycle.is_closed < cycle.count; i++)
    print_arrow(page, &cycle, i, (i + 1) % cycle.count);
  for (unsigned i = 0; i < cycle.count; i++)
    print_node(page, &cycle, i, &alarm->standpoints.at[cycle.nodes[i]]);
  fputs("</svg>", page->out);
}

// ------------------------------------------------------------------ halls ---

enum { MOST_HALLS = 8, MOST_NAMES = 2, HALL = 64 };

// Warps that stand alike: the same barrier, the same place.
typedef struct Hall {
  const Standpoint *first;
  const char *who; // "warp 0, warp 1 and 2 more"
  unsigned count;
} Hall;
typedef Vec(Hall) Halls;

static bool is_of_hall(const Hall *hall, const Standpoint *at) {
  return !strcmp(hall->first->what, at->what) &&
         hall->first->where.line == at->where.line;
}

static void join(Arena *arena, Halls *halls, const Standpoint *at) {
  for (size_t i = 0; i < halls->count; i++) {
    Hall *hall = &halls->at[i];
    if (!is_of_hall(hall, at))
      continue;
    if (hall->count++ < MOST_NAMES)
      hall->who = arena_printf(arena, "%s, %s", hall->who, at->who);
    return;
  }
  push(arena, halls, ((Hall){at, at->who, 1}));
}

static Halls find_halls(const Page *page, const Alarm *alarm) {
  Arena *arena = &page->results->arena;
  Halls halls = {0};
  for (size_t i = 0; i < alarm->standpoints.count; i++)
    join(arena, &halls, &alarm->standpoints.at[i]);
  for (size_t i = 0; i < halls.count; i++) {
    Hall *hall = &halls.at[i];
    if (hall->count > MOST_NAMES)
      hall->who = arena_printf(arena, "%s and %u more", hall->who,
                               hall->count - MOST_NAMES);
  }
  return halls;
}

static void print_hall(const Page *page, const Hall *hall, size_t row) {
  double y = (double)(row * HALL + 8);
  fprintf(page->out,
          "<rect class=\"warp\" x=\"4\" y=\"%.0f\" width=\"200\" height=\"46\" "
          "rx=\"5\"/><path class=\"waits\" marker-end=\"url(#arrow)\" "
          "d=\"M204 %.0fH262\"/><rect class=\"warp\" x=\"264\" y=\"%.0f\" "
          "width=\"236\" height=\"46\" rx=\"23\"/>",
          y, y + 23, y);
  print_text(page, 14, y + 20, "who",
             shortened(&page->results->arena, hall->who, 30));
  print_text(page, 14, y + 36, "where",
             place_shown(page->results, hall->first->where));
  print_text(page, 282, y + 27, "what", hall->first->what);
}

// Where it is not known who should come: who waits where.
static void print_halls(const Page *page, const Alarm *alarm) {
  Halls halls = find_halls(page, alarm);
  size_t rows = halls.count < MOST_HALLS ? halls.count : MOST_HALLS;
  fprintf(page->out,
          "<svg class=\"cycle\" viewBox=\"0 0 504 %zu\" width=\"504\" "
          "height=\"%zu\" role=\"img\" aria-label=\"where warps wait\">",
          rows * HALL, rows * HALL);
  for (size_t i = 0; i < rows; i++)
    print_hall(page, &halls.at[i], i);
  fputs("</svg>", page->out);
}

static bool has_waits(const Alarm *alarm) {
  for (size_t i = 0; i < alarm->standpoints.count; i++)
    if (alarm->standpoints.at[i].waits_for >= 0)
      return true;
  return false;
}

void html_cycle(const Page *page, const Alarm *alarm) {
  bool is_drawn = has_waits(alarm);
  if (!alarm->standpoints.count)
    return;
  fprintf(page->out, "<div><h4>%s</h4>",
          is_drawn ? "Who waits for whom" : "Who waits where");
  if (is_drawn)
    print_picture(page, alarm);
  else
    print_halls(page, alarm);
  fprintf(page->out,
          "<details class=\"warps\"><summary>all %zu warps</summary>",
          alarm->standpoints.count);
  print_table(page, alarm);
  fputs("</details></div>\n", page->out);
}
