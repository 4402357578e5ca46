// Where programs expect the CUDA SDK's reductions of a group.

#include "../cooperative_groups.h"
