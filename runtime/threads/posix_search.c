// Searching: in arrays, in trees and in hash tables (<search.h>).
//
// Nodes and tables are blocks of the program's, and what is read and written of
// them is told as its accesses.  A comparison is the program's, and may be
// stopped.  Trees are balanced by lots that are drawn from the address of a
// node, so they have another form than the C library's, which POSIX leaves
// open.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <search.h>
#include <string.h>

typedef int (*Compare)(const void *, const void *);

static void fails(int error) { *(int *)(void *)world.tls = error; }

// What the search does behind that is of its own place.
static int compared(Compare compare, const void *a, const void *b) {
  uint32_t site = world.site;
  int order = compare(a, b);
  world.site = site;
  return order;
}

// ------------------------------------------------------------------ arrays ---

static void *posix_lfind(const void *key, const void *base, size_t *count,
                         size_t size, Compare compare) {
  world_touch(count, sizeof *count, false);
  for (size_t i = 0, end = *count; i < end; i++) {
    const char *at = (const char *)base + i * size;
    if (!compared(compare, key, at))
      return (void *)(uintptr_t)at;
  }
  return NULL;
}

static void *posix_lsearch(const void *key, void *base, size_t *count,
                           size_t size, Compare compare) {
  void *found = posix_lfind(key, base, count, size, compare);
  if (found)
    return found;
  char *end = (char *)base + *count * size;
  world_touch(key, size, false);
  world_touch(end, size, true);
  world_touch(count, sizeof *count, true);
  ++*count;
  return memcpy(end, key, size);
}

// ------------------------------------------------------------------- lists ---

typedef struct Element {
  struct Element *next, *previous;
} Element;

static Element *changed_element(Element *element) {
  if (element)
    world_touch(element, sizeof *element, true);
  return element;
}

static void posix_insque(Element *element, Element *before) {
  changed_element(element);
  *element = (Element){.previous = before};
  if (!changed_element(before))
    return;
  element->next = before->next;
  before->next = element;
  if (changed_element(element->next))
    element->next->previous = element;
}

static void posix_remque(Element *element) {
  changed_element(element);
  if (changed_element(element->next))
    element->next->previous = element->previous;
  if (changed_element(element->previous))
    element->previous->next = element->next;
}

// ------------------------------------------------------------------- trees ---

// The program gets its address as that of `key`.
typedef struct TreeNode {
  const void *key;
  struct TreeNode *left, *right;
} TreeNode;

static TreeNode *read_node(TreeNode *node) {
  if (node)
    world_touch(node, sizeof *node, false);
  return node;
}

static void set_link(TreeNode **link, TreeNode *node) {
  if (*link == node)
    return;
  world_touch(link, sizeof(TreeNode *), true);
  *link = node;
}

static uint64_t lot_of(const TreeNode *node) {
  return (uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15);
}

// Where the key is, or would be; *above is the node that has this link.
static TreeNode **find_link(const void *key, TreeNode **link, Compare compare,
                            TreeNode **above) {
  world_touch(link, sizeof(TreeNode *), false);
  for (TreeNode *node; (node = read_node(*link));) {
    int order = compared(compare, key, node->key);
    if (!order)
      break;
    *above = node;
    link = order < 0 ? &node->left : &node->right;
  }
  return link;
}

// The parts of a tree on the two sides of a key that is not in it.
static void split(TreeNode *tree, const void *key, Compare compare,
                  TreeNode **left, TreeNode **right) {
  if (!read_node(tree)) {
    set_link(left, NULL);
    set_link(right, NULL);
  } else if (compared(compare, key, tree->key) < 0) {
    set_link(right, tree);
    split(tree->left, key, compare, left, &tree->left);
  } else {
    set_link(left, tree);
    split(tree->right, key, compare, &tree->right, right);
  }
}

// Above those with lower lots.
static void insert(TreeNode *new, TreeNode **link, Compare compare) {
  while (read_node(*link) && lot_of(*link) > lot_of(new))
    link =
        compare(new->key, (*link)->key) < 0 ? &(*link)->left : &(*link)->right;
  split(*link, new->key, compare, &new->left, &new->right);
  set_link(link, new);
}

static void *posix_tsearch(const void *key, TreeNode **root, Compare compare) {
  TreeNode *above = NULL;
  if (!root)
    return NULL;
  TreeNode *found = *find_link(key, root, compare, &above);
  if (found)
    return found;
  TreeNode *new = block_take(sizeof *new, GRANULE, BLOCK_TAKEN);
  if (!new)
    return NULL;
  world_touch(new, sizeof *new, true);
  *new = (TreeNode){.key = key};
  insert(new, root, compare);
  return new;
}

static void *posix_tfind(const void *key, TreeNode **root, Compare compare) {
  TreeNode *above = NULL;
  return root ? *find_link(key, root, compare, &above) : NULL;
}

static void join(TreeNode *left, TreeNode *right, TreeNode **link) {
  if (!read_node(left) || !read_node(right)) {
    set_link(link, left ? left : right);
  } else if (lot_of(left) > lot_of(right)) {
    set_link(link, left);
    join(left->right, right, &left->right);
  } else {
    set_link(link, right);
    join(left, right->left, &right->left);
  }
}

// What it answers of a root that goes is nobody's business, but not NULL.
static void *posix_tdelete(const void *key, TreeNode **root, Compare compare) {
  TreeNode *above = NULL;
  if (!root)
    return NULL;
  TreeNode **link = find_link(key, root, compare, &above), *node = *link;
  if (!node)
    return NULL;
  join(node->left, node->right, link);
  block_give(node, BLOCK_TAKEN);
  return above ? (void *)above : (void *)root;
}

typedef struct Walk {
  void (*action)(const void *node, VISIT order, int depth);
  void (*with)(const void *node, VISIT order, void *argument); // or NULL
  void *argument;
} Walk;

static void visit(const Walk *walk, TreeNode *node, VISIT order, int depth) {
  uint32_t site = world.site;
  posix_meet_before_call();
  if (walk->with)
    walk->with(node, order, walk->argument);
  else
    walk->action(node, order, depth);
  world.site = site;
}

static void walk_tree(const Walk *walk, TreeNode *node, int depth) {
  if (!read_node(node))
    return;
  if (!node->left && !node->right) {
    visit(walk, node, leaf, depth);
    return;
  }
  visit(walk, node, preorder, depth);
  walk_tree(walk, node->left, depth + 1);
  visit(walk, node, postorder, depth);
  walk_tree(walk, node->right, depth + 1);
  visit(walk, node, endorder, depth);
}

static void posix_twalk(TreeNode *root,
                        void (*action)(const void *, VISIT, int)) {
  walk_tree(&(Walk){.action = action}, root, 0);
}

static void posix_twalk_r(TreeNode *root,
                          void (*with)(const void *, VISIT, void *),
                          void *argument) {
  walk_tree(&(Walk){.with = with, .argument = argument}, root, 0);
}

static void posix_tdestroy(TreeNode *root, void (*destroy)(void *)) {
  if (!read_node(root))
    return;
  posix_tdestroy(root->left, destroy);
  posix_tdestroy(root->right, destroy);
  uint32_t site = world.site;
  posix_meet_before_call();
  destroy((void *)(uintptr_t)root->key);
  world.site = site;
  block_give(root, BLOCK_TAKEN);
}

// ------------------------------------------------------------- hash tables ---

// As struct hsearch_data.  A place without a key is free.
typedef struct HashTable {
  ENTRY *places;
  unsigned size, filled;
} HashTable;

static bool is_prime(size_t number) {
  for (size_t i = 3; i * i <= number; i += 2)
    if (!(number % i))
      return false;
  return true;
}

// As many as the C library's has.
static size_t size_for(size_t entries) {
  size_t size = entries < 3 ? 3 : entries | 1;
  while (!is_prime(size))
    size += 2;
  return size;
}

static int posix_hcreate_r(size_t entries, HashTable *table) {
  enum { MOST = 1 << 24 };
  if (!table) {
    fails(EINVAL);
    return 0;
  }
  world_touch(table, sizeof *table, true);
  if (table->places)
    return 0;
  size_t size = entries < MOST ? size_for(entries) : 0;
  ENTRY *places =
      size ? block_take(size * sizeof *places, GRANULE, BLOCK_TAKEN) : NULL;
  if (!places) {
    fails(ENOMEM);
    return 0;
  }
  world_touch(places, size * sizeof *places, true);
  memset(places, 0, size * sizeof *places);
  *table = (HashTable){places, (unsigned)size, 0};
  return 1;
}

static void posix_hdestroy_r(HashTable *table) {
  if (!table) {
    fails(EINVAL);
    return;
  }
  world_touch(table, sizeof *table, true);
  if (table->places)
    block_give(table->places, BLOCK_TAKEN);
  table->places = NULL;
}

static size_t hash_of(const char *key) {
  size_t hash = 5381;
  world_touch(key, strlen(key) + 1, false);
  for (; *key; key++)
    hash = 33 * hash + (unsigned char)*key;
  return hash;
}

// The one with this key, or a free one; NULL: it is in none, and none is free.
static ENTRY *find_place(const HashTable *table, const char *key) {
  size_t at = hash_of(key) % table->size;
  for (unsigned i = 0; i < table->size; i++, at = (at + 1) % table->size) {
    ENTRY *place = &table->places[at];
    world_touch(place, sizeof *place, false);
    if (!place->key)
      return place;
    world_touch(place->key, strlen(place->key) + 1, false);
    if (!strcmp(place->key, key))
      return place;
  }
  return NULL;
}

static int answer(ENTRY **to, ENTRY *found, int error) {
  world_touch(to, sizeof(ENTRY *), true);
  *to = found;
  if (!found)
    fails(error);
  return found != NULL;
}

static int posix_hsearch_r(ENTRY item, ACTION action, ENTRY **to,
                           HashTable *table) {
  world_touch(table, sizeof *table, false);
  if (!table->places)
    world_fail(MISHAP_CRASH, "searches a hash table that is not there");
  ENTRY *place = find_place(table, item.key);
  if (place && place->key)
    return answer(to, place, 0);
  if (action == FIND)
    return answer(to, NULL, ESRCH);
  if (!place)
    return answer(to, NULL, ENOMEM);
  world_touch(place, sizeof *place, true);
  world_touch(table, sizeof *table, true);
  *place = item;
  table->filled++;
  return answer(to, place, 0);
}

// One for all threads.
static HashTable *the_table(void) {
  return (HashTable *)(uintptr_t)posix_variable("hsearch()");
}
static int posix_hcreate(size_t entries) {
  return posix_hcreate_r(entries, the_table());
}
static void posix_hdestroy(void) { posix_hdestroy_r(the_table()); }
static ENTRY *posix_hsearch(ENTRY item, ACTION action) {
  ENTRY *found;
  posix_hsearch_r(item, action, &found, the_table());
  return found;
}

const PosixCall search_calls[] = {
    POSIX_KEEPER(lfind),     POSIX_KEEPER(lsearch),  POSIX_LEAVER(insque),
    POSIX_LEAVER(remque),    POSIX_LEAVER(tsearch),  POSIX_LEAVER(tfind),
    POSIX_LEAVER(tdelete),   POSIX_LEAVER(twalk),    POSIX_LEAVER(twalk_r),
    POSIX_LEAVER(tdestroy),  POSIX_CALL(hcreate),    POSIX_CALL(hcreate_r),
    POSIX_CALL(hdestroy),    POSIX_CALL(hdestroy_r), POSIX_LEAVER(hsearch),
    POSIX_LEAVER(hsearch_r), {NULL, NULL, 0}};
