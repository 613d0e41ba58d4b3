import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { type OpenDatabase, openDatabase } from '../../../../gateway/store/sqlite/database.ts'
import { createReader, type Reader, readerLimits } from '../../../../gateway/store/sqlite/reader.ts'
import type { ReaderThread } from '../../../../gateway/store/sqlite/reader-thread.ts'

let folder: string
let database: OpenDatabase
const readers: Reader[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  database = await openDatabase(folder, 1_700_000_000)
})
afterEach(() => Promise.all(readers.splice(0).map((reader) => reader.close())))
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

it('sees rows committed a moment ago, and changes nothing', async () => {
  const db = aReader().until()
  await database.db.insertInto('setups').values({ id: 1, version: 'x', initialized_at: 7 }).execute()
  expect(await db.selectFrom('setups').selectAll().execute()).toEqual([{ id: 1, version: 'x', initialized_at: 7 }])
  await expect(db.deleteFrom('setups').execute()).rejects.toThrow()
  await expect(db.transaction().execute(async () => 1)).rejects.toThrow('whole queries')
  expect(await database.db.selectFrom('setups').selectAll().execute()).toHaveLength(1)
})

it('answers while the calling thread does other work', async () => {
  const reading = aReader().until().executeQuery(counting(300_000))
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await reading
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

it('refuses a query that runs too long, and answers those behind it with another thread', async () => {
  const { start, threads } = fakeThreads((place) => place > 0)
  const reader = aReader({ maxMs: 100 }, start)
  const slow = reader.until().executeQuery(one)
  const behind = reader.until().executeQuery(one)
  await expect(slow).rejects.toMatchObject({ kind: 'timeout', key: 'read.slow', params: { seconds: 0.1 } })
  expect((await behind).rows).toEqual([])
  expect(threads).toHaveLength(2)
  expect(threads[0]?.isAlive()).toBe(false)
})

it('refuses at once a query in a statement that cannot be interrupted', async () => {
  const reader = aReader({ maxMs: 10 })
  const slow = reader.until().executeQuery(counting(500_000))
  await expect(slow).rejects.toMatchObject({ kind: 'timeout', key: 'read.slow' })
  await reader.close()
})

it('reports an error in a query as such, and continues to work', async () => {
  const reader = aReader()
  await expect(reader.until().executeQuery(CompiledQuery.raw('select nothing_of_this'))).rejects.toThrow(
    'no such column',
  )
  expect((await reader.until().executeQuery(one)).rows).toEqual([{ n: 1 }])
})

it('reads no more than fits into its memory, and continues to work', async () => {
  const reader = aReader()
  const rows = (count: number) =>
    CompiledQuery.raw(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select printf('%.*c', 1000000, 'x') as text from n`,
    )
  await expect(reader.until().executeQuery(rows(40))).rejects.toThrow('too long')
  expect((await reader.until().executeQuery(rows(20))).rows).toHaveLength(20)
})

it('drops a waiting query when its caller is gone', async () => {
  const { started, start, threads } = fakeThreads()
  const reader = aReader({}, start)
  const first = reader.until().executeQuery(one)
  const gone = new AbortController()
  const second = reader.until({ gone: gone.signal }).executeQuery(one)
  await started
  gone.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  threads[0]?.answer([{ n: 1 }])
  await first
  expect(threads[0]?.queries).toHaveLength(1)
  await expect(reader.until({ gone: gone.signal }).executeQuery(one)).rejects.toThrow('gone')
})

it('ends a running query after its caller is gone, and starts again for the next', async () => {
  const { started, start, threads } = fakeThreads()
  const reader = aReader({ abandonedMs: 1 }, start)
  const gone = new AbortController()
  const first = reader.until({ gone: gone.signal }).executeQuery(one)
  const second = reader.until().executeQuery(one)
  await started
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await expect.poll(() => threads.length).toBe(2)
  threads[1]?.answer([{ n: 2 }])
  expect((await second).rows).toEqual([{ n: 2 }])
})

it('hands over one long text within its envelope, plain and packed, and reads rows as before', async () => {
  const reader = aReader()
  const long = CompiledQuery.raw("select group_concat(printf('ü%d', value)) as text from json_each('[1,22,333]')")
  const envelope = { before: '{"data":"', after: '"}' }
  const { text, gzip } = await reader.packed(long as CompiledQuery<{ text: string }>, envelope)
  expect(Buffer.from(text).toString()).toBe('{"data":"ü1,ü22,ü333"}')
  expect(gunzipSync(gzip).equals(text)).toBe(true)
  expect((await reader.until().executeQuery(long)).rows).toEqual([{ text: 'ü1,ü22,ü333' }])
  const wrong = CompiledQuery.raw('select nothing_of_this') as CompiledQuery<{ text: string }>
  await expect(reader.packed(wrong, envelope)).rejects.toThrow('no such column')
  await expect(
    reader.packed(long as CompiledQuery<{ text: string }>, envelope, { gone: AbortSignal.abort() }),
  ).rejects.toThrow()
})

it('loses one query with a thread that dies', async () => {
  const { started, start, threads } = fakeThreads()
  const reader = aReader({}, start)
  const [first, second] = [reader.until().executeQuery(one), reader.until().executeQuery(one)]
  await started
  void threads[0]?.end()
  await expect(first).rejects.toThrow('ended')
  await expect.poll(() => threads.length).toBe(2)
  threads[1]?.answer([])
  expect((await second).rows).toEqual([])
})

it('refuses more than may wait, and everything once it is closed', async () => {
  const { start } = fakeThreads()
  const reader = aReader({ waiting: 4 }, start)
  const begun = [1, 2, 3].map(() => reader.until().executeQuery(one))
  const busy = { kind: 'limited', key: 'read.busy', retryAfterSeconds: 1 }
  const refused = Promise.all(begun.map((reading) => expect(reading).rejects.toMatchObject(busy)))
  await expect(reader.until().executeQuery(one)).rejects.toMatchObject(busy)
  await reader.close()
  await refused
  await expect(reader.until().executeQuery(one)).rejects.toMatchObject(busy)
})

it('serves the accounts by turns, and refuses one with more than half of the waiting queries', async () => {
  const { start, threads } = fakeThreads(() => true)
  const reader = aReader({ waiting: 4 }, start)
  const of = (accountId: number, name: string) =>
    reader.until({ accountId }).executeQuery(CompiledQuery.raw(`select '${name}'`))
  const first = [of(1, 'a1'), of(1, 'a2'), of(1, 'a3')]
  const [refused, other] = [of(1, 'a4'), of(2, 'b1')]
  await expect(refused).rejects.toMatchObject({ kind: 'limited', key: 'read.busy' })
  await Promise.all([...first, other])
  expect(threads[0]?.queries.map((sql) => sql.slice(8, 10))).toEqual(['a1', 'b1', 'a2', 'a3'])
})

const one = CompiledQuery.raw('select 1 as n')

/** A query that counts in a single step of its statement, which cannot be interrupted. */
const counting = (to: number) =>
  CompiledQuery.raw(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select count(*) from n',
    [to],
  )

function aReader(limits: Partial<typeof readerLimits> = {}, start?: () => Promise<ReaderThread>): Reader {
  const reader = createReader({
    file: database.file,
    log: silentLogger,
    limits: { ...readerLimits, maxMs: 60_000, ...limits },
    ...(start ? { start } : {}),
  })
  readers.push(reader)
  return reader
}

type FakeThread = ReaderThread & { queries: string[]; answer(rows: unknown[]): void }

/** Threads that respond on command, or immediately if `isQuick`; `started` resolves with the first query. */
function fakeThreads(isQuick: (place: number) => boolean = () => false) {
  const threads: FakeThread[] = []
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const start = async (): Promise<ReaderThread> => {
    const place = threads.length
    let alive = true
    let pending = Promise.withResolvers<unknown[]>()
    const thread: FakeThread = {
      queries: [],
      read({ sql }) {
        thread.queries.push(sql)
        pending = Promise.withResolvers()
        resolve()
        if (isQuick(place)) pending.resolve([])
        return pending.promise
      },
      answer: (rows) => pending.resolve(rows),
      isAlive: () => alive,
      async end() {
        alive = false
        pending.reject(new Error('the thread was ended'))
      },
    }
    pending.promise.catch(() => undefined)
    threads.push(thread)
    return thread
  }
  return { threads, started, start }
}
