#include "CKernelRig.h"
