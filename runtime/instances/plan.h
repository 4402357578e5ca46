// What those who execute instances share.  Private.

#ifndef RUNTIME_INSTANCES_PLAN_H
#define RUNTIME_INSTANCES_PLAN_H

#include "runtime/instances/instances.h"

// All but the addresses, and the numbers of a launch.  False: *reason says what
// there is too much of.
bool plan_make(InstancePlan *plan, const DeviceProfile *profile,
               const InstanceCode *code, const char **reason);
// Of the frames of so many instances, a multiple of INSTANCE_LANES.
uint64_t plan_frames_bytes(const InstancePlan *plan, uint64_t instances);
// How many of the launch have answered, from the first one on.
uint64_t plan_tell(const InstancePlan *plan, const InstanceEnd *ends,
                   DeviceEnd *told);

#endif
