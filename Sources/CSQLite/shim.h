#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config is variadic, and Swift calls no variadic functions. `now` receives the setting in force. */
static inline int csqlite_set_flag(sqlite3 *connection, int option, int value, int *now) {
    return sqlite3_db_config(connection, option, value, now);
}

/* sqlite3_config is variadic too. */
static inline int csqlite_configure_memory_statistics(int isOn) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, isOn);
}

/* SQLITE_TRANSIENT and SQLITE_STATIC are casts of integers to function pointers, which Swift does not import.
   A null pointer would bind NULL; an empty buffer has one, and means empty text or an empty blob. */
static inline int csqlite_bind_text_copying(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_text_borrowing(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

static inline int csqlite_bind_blob_copying(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob_borrowing(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

static inline void csqlite_result_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

#endif
