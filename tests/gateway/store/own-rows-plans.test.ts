import Database from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenStore } from '../../../gateway/store/accounts/tokens.ts'
import { conversationStore } from '../../../gateway/store/requests/conversations.ts'
import { countUnpaidDrawings, drawingStore } from '../../../gateway/store/requests/drawings.ts'
import { storedResponseStore } from '../../../gateway/store/requests/stored-responses.ts'
import { taskStore } from '../../../gateway/store/requests/tasks.ts'
import type { Schema } from '../../../gateway/store/schema/schema.ts'
import type { Db } from '../../../gateway/store/sqlite/database.ts'
import { migrate } from '../../../gateway/store/sqlite/migrate.ts'

let db: Db
const asked: CompiledQuery[] = []
beforeAll(async () => {
  db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: new Database(':memory:') }),
    log: ({ query }) => void (query.sql.startsWith('explain') || asked.push(query)),
  })
  await migrate(db, 'sqlite', 1_700_000_000)
})
afterAll(() => db.destroy())

const owner = { userId: 1, tokenId: 2, isGuest: false }
const guest = { ...owner, isGuest: true }

/** An account may have many long rows, and these queries run concurrently with relayed requests. */
describe('a query that an account causes reads only the rows that it returns', () => {
  it.each([
    ['the totals of conversations', () => conversationStore(db).totals(1, 0), 'COVERING INDEX conversations_user'],
    [
      'a drawing',
      () => drawingStore(db).ofOwner(owner, 'x'),
      'INDEX midjourneys_of_user_by_task (user_id=? AND mj_id=?)',
    ],
    [
      'a drawing of a guest',
      () => drawingStore(db).ofOwner(guest, 'x'),
      'midjourneys_of_user_by_task (user_id=? AND mj_id=?)',
    ],
    [
      'free drawings',
      () => countUnpaidDrawings(db, 1, 5, 10),
      'INDEX midjourneys_unfinished_of_user (user_id=? AND submit_time>?)',
    ],
    [
      'a task',
      () => taskStore(db).ofOwner(owner, 'suno', 'x'),
      'INDEX tasks_of_user_by_task (user_id=? AND task_id=?)',
    ],
    ['the number of tokens', () => tokenStore(db).count(1), 'COVERING INDEX tokens_user (user_id=? AND deleted_at=?)'],
    [
      'a page of tokens',
      () => tokenStore(db).sizes(1, { offset: 0, limit: 10 }),
      'INDEX tokens_user (user_id=? AND deleted_at=?)',
    ],
    [
      'responses that a turn continues',
      () => storedResponseStore(db).prolong(owner, ['a', 'b'], 5),
      'stored_responses_user (user_id=? AND id=?)',
    ],
  ])('%s', async (_, query, index) => {
    asked.length = 0
    await query()
    const [step] = await plansOf(asked.splice(0))
    expect(step).toContain(index)
  })
})

async function plansOf(queries: readonly CompiledQuery[]): Promise<string[]> {
  const plans = await Promise.all(
    queries.map(({ sql, parameters }) =>
      db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])),
    ),
  )
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail))
}
