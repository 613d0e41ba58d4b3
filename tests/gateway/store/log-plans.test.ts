import Database from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestId } from '../../../gateway/base/ids.ts'
import { type LogFilter, logStore } from '../../../gateway/store/log/logs.ts'
import { usageMinutes } from '../../../gateway/store/log/usage-minutes.ts'
import type { Schema } from '../../../gateway/store/schema/schema.ts'
import type { Db } from '../../../gateway/store/sqlite/database.ts'
import { migrate } from '../../../gateway/store/sqlite/migrate.ts'

/** The tests check SQLite's query plan for each query of the log: only the rows of a page may be read completely. */
let db: Db
const asked: CompiledQuery[] = []
beforeAll(async () => {
  db = new Kysely<Schema>({
    dialect: new SqliteDialect({ database: new Database(':memory:') }),
    log: ({ query }) => void (query.sql.startsWith('explain') || asked.push(query)),
  })
  await migrate(db, 'sqlite', 1_700_000_000)
  await sql`insert into logs (user_id, created_at, type) with recursive n(i) as (select 1 union all select i + 1 from n
    where i <= 50000) select 1, 100, 2 from n`.execute(db)
})
afterAll(() => db.destroy())

const long = { start_timestamp: 100, end_timestamp: 4_000_000_000 }
const own: Record<string, LogFilter> = {
  nothing: {},
  'a type': { type: 5 },
  'a token': { token_name: 'laptop' },
  'a token’s id': { token_id: 7 },
  'a model': { model_name: 'gpt-4o' },
  'a pattern': { model_name: '%mini%' },
  'a group': { group: 'vip' },
  'a part of a name': { token_contains: 'lap', model_contains: 'gpt', group_contains: 'v' },
  streams: { stream: true },
  'a long time': long,
  'the end of a long time': { end_timestamp: 4_000_000_000 },
  everything: { type: 2, token_name: 'laptop', model_name: '%4o', group: 'vip', ...long },
}
const all: Record<string, LogFilter> = {
  ...own,
  'a user name': { username: 'bob' },
  'a channel': { channel: 7 },
  'a part of a user name': { username_contains: 'bo' },
  'several tries': { retried: true, stream: false },
  everything: { ...own.everything, username: 'bob', channel: 1 },
}

for (const [name, filter] of Object.entries(all))
  it(`the log of all accounts narrowed by ${name} is read from an index`, async () => {
    expect((await queriesOf(filter)).filter((step) => !isIndexed(step))).toEqual([])
  })

for (const [name, filter] of Object.entries(own))
  it(`a user’s log narrowed by ${name} is read from that user’s part of an index`, async () => {
    const steps = await queriesOf({ ...filter, userId: 1 })
    expect(steps.filter((step) => !isIndexed(step) || step.includes('logs_in_order'))).toEqual([])
  })

it('a request is found by its id, for any reader and any further filters', async () => {
  for (const filter of [{}, { userId: 1 }, { userId: 1, type: 2, ...long }]) {
    asked.length = 0
    await logStore(db).page({ ...filter, request_id: requestId(1_800_000_000_000) }, { offset: 0, limit: 10 })
    const steps = (await plansOf(asked.splice(0))).filter((step) => /^(SCAN|SEARCH) logs/.test(step))
    expect(steps.join()).toMatch(/SEARCH logs USING (COVERING )?INDEX logs_time \(created_at=\?/)
  }
})

it('the rows of all accounts are added up along the index of times', async () => {
  for (const filter of [{}, { token_name: 'laptop' }, long]) {
    asked.length = 0
    await logStore(db).sums(filter)
    const [step] = await plansOf(asked.splice(0))
    expect(step).toMatch(/^SEARCH logs USING COVERING INDEX logs_time \(created_at>/)
  }
})

it('a short time is read by the index of times', async () => {
  const short = { start_timestamp: 101, end_timestamp: 200 }
  for (const filter of [short, { ...short, userId: 1 }, { ...short, userId: 1, token_name: 'laptop' }]) {
    const steps = (await queriesOf(filter)).filter((step) => !step.includes('INTEGER PRIMARY KEY'))
    expect(steps.filter((step) => !step.includes('logs_time'))).toEqual([])
  }
})

it('usage by minute is read from the index of times, or from its user’s part of an index', async () => {
  for (const [userId, index] of [
    [undefined, 'logs_time'],
    [1, 'logs_of_user'],
  ] as const) {
    asked.length = 0
    await usageMinutes(db, { from: 101, to: 200 }, userId)
    const steps = (await plansOf(asked.splice(0))).filter((step) => /^(SCAN|SEARCH) logs/.test(step))
    expect(steps.filter((step) => !step.includes(`COVERING INDEX ${index} `))).toEqual([])
  }
})

it('a token’s log is read from its user’s part of an index', async () => {
  await logStore(db).ofToken(1, 2, 1000)
  expect(await plansOf(asked.splice(0))).toContain('SEARCH logs USING COVERING INDEX logs_of_user (user_id=?)')
})

/** The query plans' steps on the log's rows, for a page, a count and a sum. */
async function queriesOf(filter: LogFilter): Promise<string[]> {
  asked.length = 0
  const logs = logStore(db)
  await logs.page(filter, { offset: 100, limit: 10 })
  await logs.page(filter, { offset: 100, limit: 10, sort: '-quota' })
  await logs.count(filter)
  await logs.sums(filter)
  const steps = await plansOf(asked.splice(0))
  return steps.filter((step) => /^(SCAN|SEARCH) logs/.test(step))
}

/** Whether a step reads only an index, or fetches full rows by id. */
const isIndexed = (step: string) => /COVERING INDEX|INTEGER PRIMARY KEY \(rowid=\?\)/.test(step)

async function plansOf(queries: readonly CompiledQuery[]): Promise<string[]> {
  const plans = await Promise.all(
    queries.map(({ sql, parameters }) =>
      db.executeQuery<{ detail: string }>(CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])),
    ),
  )
  return plans.flatMap(({ rows }) => rows.map(({ detail }) => detail))
}
