// Where programs expect ROCm: all of it that we declare.

#include "../../../hip.h"
