#include "CBuildFacts.h"

#ifndef FERRY_COMMIT
#define FERRY_COMMIT ""
#endif

const char *ferry_build_commit(void) { return FERRY_COMMIT; }
