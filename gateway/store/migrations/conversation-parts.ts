import { createTables, type Migration, primaryKey } from './column.ts'

/** Contents of long conversation items, which are written in several short transactions. */
export const conversationParts: Migration = {
  name: 'conversation parts',
  up: (db, dialect) =>
    createTables(
      db,
      dialect,
      {
        conversation_parts: ({ whole, text }) => [
          text('conversation_id'),
          whole('position'),
          whole('part'),
          text('content'),
          primaryKey('conversation_parts_key', 'conversation_id', 'position', 'part'),
        ],
      },
      [],
    ),
}
