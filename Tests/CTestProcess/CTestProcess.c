#include "CTestProcess.h"
#include <sqlite3.h>

/* The tests of a process run on many threads, which would contend for the lock of SQLite's memory statistics at each
   allocation. The tool does without them, too. This must come before the first use of SQLite by any test. */
__attribute__((constructor)) static void omit_memory_statistics(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
