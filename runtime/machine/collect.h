// OpenCL's functions of a group: what code says to the machine of them.

#ifndef RUNTIME_MACHINE_COLLECT_H
#define RUNTIME_MACHINE_COLLECT_H

#include "runtime/machine/copies.h"

typedef enum CollectKind {
  COLLECT_ALL,
  COLLECT_ANY,
  COLLECT_BROADCAST,
  COLLECT_REDUCE,
  COLLECT_INCLUSIVE, // scan
  COLLECT_EXCLUSIVE,
} CollectKind;

typedef enum CollectOperation {
  COLLECT_ADD,
  COLLECT_MIN,
  COLLECT_MAX,
} CollectOperation;

typedef enum CollectType {
  COLLECT_S32,
  COLLECT_U32,
  COLLECT_S64,
  COLLECT_U64,
  COLLECT_F32,
  COLLECT_F64,
} CollectType;

// Four bytes, which code has as a number.
typedef struct Collection {
  uint8_t kind, operation, type; // CollectKind, ..
  bool is_sub;
} Collection;

// ------------------------------------------------------------- collect.c ---

// The result of this work-item, whose value it is; of BROADCAST that of the one
// with these ids.
uint64_t collect(uint64_t value, uint64_t x, uint64_t y, uint64_t z,
                 uint32_t how);
// async_work_group_copy of elements of so many bytes; returns the event.
uint64_t event_copy(char *to, char *from, uint64_t count, uint64_t to_step,
                    uint64_t from_step, uint32_t bytes, uint64_t event);
void event_wait(int32_t count, const uint64_t *events);

#endif
