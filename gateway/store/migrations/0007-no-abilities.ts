import type { Migration } from './column.ts'

/** Which channel offers which model was kept a second time, and nothing read it: the channel registry is built from the channels. */
export const noAbilities: Migration = {
  name: 'no-abilities',
  async up(db) {
    await db.schema.dropTable('abilities').execute()
  },
}
