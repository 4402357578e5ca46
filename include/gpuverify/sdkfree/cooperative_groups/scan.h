// Where programs expect the CUDA SDK's scans of a group.

#include "../cooperative_groups.h"
