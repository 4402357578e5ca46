// Where programs expect the CUDA SDK: all of it that we declare.

#include "../cuda.h"
