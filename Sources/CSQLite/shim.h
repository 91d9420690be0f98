#include <sqlite3.h>

/// A word in double quotes is a name, and never a text. Swift cannot call sqlite3_db_config, which is variadic.
static inline void keyflight_refuse_quoted_texts(sqlite3 *connection) {
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
#endif
}
