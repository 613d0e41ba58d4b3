import Database from 'better-sqlite3'

/** Loads the native SQLite library, which better-sqlite3 does on the first database. Throws if it cannot be loaded. */
export const loadSqlite = (): void => void new Database(':memory:').close()
