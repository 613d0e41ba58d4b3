import Database from 'better-sqlite3'

/** Has the library of SQLite load, which it does with the first database; throws what keeps it from that. */
export const loadSqlite = (): void => void new Database(':memory:').close()
