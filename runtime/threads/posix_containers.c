// What maps, hash tables and lists of C++'s library call.
//
// The templates are compiled with the program (threads_command.c); what is left
// is a few functions that know no types.  They are those of the library that
// this process has, once we have told which nodes they change: more than they
// do, for who changes a container has it alone.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

// ------------------------------------------------------------------- trees ---

// As std::_Rb_tree_node_base; the header has the root as its parent.
typedef struct TreeNode {
  int colour; // 0: red
  struct TreeNode *parent, *left, *right;
} TreeNode;

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool is_left, TreeNode *node, TreeNode *parent, TreeNode *header);
TreeNode *
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(TreeNode *node,
                                                             TreeNode *header);

static TreeNode *read_node(const TreeNode *node) {
  world_touch(node, sizeof *node, false);
  return (TreeNode *)(uintptr_t)node;
}

static TreeNode *increment(const TreeNode *from) {
  TreeNode *node = read_node(from);
  if (node->right) {
    node = read_node(node->right);
    while (node->left)
      node = read_node(node->left);
    return node;
  }
  TreeNode *above = read_node(node->parent);
  while (node == above->right) {
    node = above;
    above = read_node(above->parent);
  }
  return node->right != above ? above : node;
}

static TreeNode *decrement(const TreeNode *from) {
  TreeNode *node = read_node(from);
  if (!node->colour && read_node(node->parent)->parent == node)
    return node->right; // behind the last one
  if (node->left) {
    node = read_node(node->left);
    while (node->right)
      node = read_node(node->right);
    return node;
  }
  TreeNode *above = read_node(node->parent);
  while (node == above->left) {
    node = above;
    above = read_node(above->parent);
  }
  return above;
}

static void change_below(TreeNode *node, unsigned depth) {
  if (!node)
    return;
  world_touch(node, sizeof *node, true);
  if (!depth)
    return;
  change_below(node->left, depth - 1);
  change_below(node->right, depth - 1);
}

// Rotations reach so far below a node of the way up.
static void change_above(TreeNode *node, TreeNode *header) {
  enum { REACH = 3 };
  world_touch(header, sizeof *header, true);
  for (; node != header; node = node->parent)
    change_below(node, REACH);
}

static void insert(bool is_left, TreeNode *node, TreeNode *parent,
                   TreeNode *header) {
  world_touch(node, sizeof *node, true);
  change_above(parent, header);
  _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
      is_left, node, parent, header);
}

static TreeNode *erase(TreeNode *node, TreeNode *header) {
  read_node(node);
  change_above(node->left && node->right ? increment(node) : node, header);
  return _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(node,
                                                                      header);
}

// ------------------------------------------------------------- hash tables ---

// As std::__detail::_Prime_rehash_policy.
typedef struct Rehashing {
  float most_load;
  size_t next_resize;
} Rehashing;

typedef struct Resizing {
  bool is_needed;
  size_t buckets;
} Resizing;

size_t _ZSt11_Hash_bytesPKvmm(const void *at, size_t bytes, size_t seed);
size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(Rehashing *policy,
                                                            size_t least);
Resizing _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    Rehashing *policy, size_t buckets, size_t elements, size_t more);

static size_t hash_bytes(const void *at, size_t bytes, size_t seed) {
  world_touch(at, bytes, false);
  return _ZSt11_Hash_bytesPKvmm(at, bytes, seed);
}

static size_t next_buckets(Rehashing *policy, size_t least) {
  world_touch(policy, sizeof *policy, true);
  return _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(policy, least);
}

static Resizing need_rehash(Rehashing *policy, size_t buckets, size_t elements,
                            size_t more) {
  world_touch(policy, sizeof *policy, true);
  return _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
      policy, buckets, elements, more);
}

// ------------------------------------------------------------------- lists ---

typedef struct ListNode {
  struct ListNode *next, *previous;
} ListNode;

static ListNode *changed(ListNode *node) {
  world_touch(node, sizeof *node, true);
  return node;
}

static void join(ListNode *first, ListNode *second) {
  changed(first)->next = second;
  changed(second)->previous = first;
}

static void hook(ListNode *node, ListNode *before) {
  ListNode *previous = changed(before)->previous;
  join(node, before);
  join(previous, node);
}

static void unhook(ListNode *node) {
  changed(node);
  join(node->previous, node->next);
}

// [first, end) goes before `before`.
static void transfer(ListNode *before, ListNode *first, ListNode *end) {
  if (before == end || first == end)
    return;
  ListNode *last = changed(end)->previous, *left = changed(first)->previous;
  ListNode *previous = changed(before)->previous;
  join(left, end);
  join(last, before);
  join(previous, first);
}

static void reverse(ListNode *list) {
  ListNode *node = list;
  do {
    ListNode *next = changed(node)->next;
    node->next = node->previous;
    node->previous = next;
    node = next;
  } while (node != list);
}

static void swap_lists(ListNode *a, ListNode *b) {
  ListNode kept = {0};
  bool has_kept = changed(a)->next != a;
  if (has_kept) {
    kept = *a;
    a->next = a->previous = a;
  }
  if (changed(b)->next != b)
    transfer(a, b->next, b);
  if (!has_kept)
    return;
  join(b, kept.next);
  join(kept.previous, b);
}

// -------------------------------------------------------------- allocators ---

static void nothing(void *object) { (void)object; }

#define CXX(name, function)                                                    \
  {name, (void *)(uintptr_t)(function), CAPTURES | LEAVES}
#define EMPTY(name) {name, (void *)(uintptr_t)nothing, APART}

const PosixCall container_calls[] = {
    CXX("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", increment),
    CXX("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", increment),
    CXX("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", decrement),
    CXX("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", decrement),
    CXX("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
        insert),
    CXX("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_", erase),
    CXX("_ZSt11_Hash_bytesPKvmm", hash_bytes),
    CXX("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm", next_buckets),
    CXX("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
        need_rehash),
    CXX("_ZNSt8__detail15_List_node_base7_M_hookEPS0_", hook),
    CXX("_ZNSt8__detail15_List_node_base9_M_unhookEv", unhook),
    CXX("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", transfer),
    CXX("_ZNSt8__detail15_List_node_base10_M_reverseEv", reverse),
    CXX("_ZNSt8__detail15_List_node_base4swapERS0_S1_", swap_lists),
    EMPTY("_ZNSaIcEC1Ev"),
    EMPTY("_ZNSaIcEC2Ev"),
    EMPTY("_ZNSaIcEC1ERKS_"),
    EMPTY("_ZNSaIcEC2ERKS_"),
    EMPTY("_ZNSaIcED1Ev"),
    EMPTY("_ZNSaIcED2Ev"),
    {NULL, NULL, 0}};
