import { setImmediate as otherWork } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { createPace, type Pace } from '../base/pace.ts'
import { compareAccounts } from '../store/ledger/ledger-compare.ts'
import {
  type AccountKind,
  addRows,
  copyRemoved,
  currentGeneration,
  type Difference,
  finalRow,
  makeCurrent,
  makeGeneration,
  reachedBy,
  removeStale,
  rowsAfter,
  setReached,
} from '../store/ledger/ledger-sums.ts'
import type { Db } from '../store/sqlite/database.ts'

/** `new`: adds the rows since the last verification to its sums; `all`: adds up every row from the first. */
export type Scope = 'new' | 'all'

export type VerifyProgress = { rows: number; accounts: number }

type Verification = Readonly<{
  scope: Scope
  progress: VerifyProgress
  clock: Pick<Clock, 'monotonic'>
  /**
   * Ends the verification after the current slice, throwing the signal's reason; the sums so far are kept and valid.
   */
  signal?: AbortSignal
}>

/**
 * Compares every committed user, token and channel with the sum of its ledger rows, at any size: in slices of a few
 * milliseconds, yielding between them. Each slice of accounts is one transaction that first adds the rows written since
 * the previous slice, so both sides are at the same row. Changes no balance. Only one may run at a time.
 */
export async function verifyLedger(db: Db, { scope, progress, clock, signal }: Verification): Promise<Difference[]> {
  const yieldOrAbort = async () => {
    await otherWork()
    signal?.throwIfAborted()
  }
  const generation = await generationFor(db, scope, yieldOrAbort)
  const rows = createPace(clock, ROWS)
  while (await addSlice(db, generation, rows, progress)) await yieldOrAbort()
  const pace = createPace(clock, ACCOUNTS)
  const differences: Difference[] = []
  for (const account of accounts) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      await yieldOrAbort()
      const slice: Compared = await compareSlice(db, { generation, account, after, pace, progress })
      differences.push(...slice.differences)
      after = slice.next
    }
  }
  if (scope === 'all') await makeCurrent(db, generation)
  while ((await pace.step((limit) => removeStale(db, generation, limit))) > 0) await yieldOrAbort()
  return differences
}

/** Whether the newest verified rows are missing; only a verification of all rows is meaningful then. */
export async function hasLostRows(db: Db): Promise<boolean> {
  const current = await currentGeneration(db)
  if (!current || current.reached === 0) return false
  return (await rowsAfter(db, current.reached - 1, 1)).count === 0
}

/** The number of rows and accounts a verification of new rows would process, each counted up to `max`. */
export async function workAhead(db: Db, max: number): Promise<number> {
  const current = await currentGeneration(db)
  const { count } = await rowsAfter(db, current?.reached ?? 0, max)
  const counts = await Promise.all((['users', 'tokens', 'channels'] as const).map((table) => countOf(db, table, max)))
  return counts.reduce((sum, one) => sum + one, count)
}

/** Max ledger rows added per transaction. */
const ROWS = 2000
/** Max accounts compared per transaction. */
const ACCOUNTS = 1000
/** Max sums copied or removed per transaction before a full verification. */
const SUMS = 250
const accounts = ['user', 'token', 'channel'] as const satisfies readonly AccountKind[]

async function generationFor(db: Db, scope: Scope, yieldOrAbort: () => Promise<void>): Promise<number> {
  const current = await currentGeneration(db)
  if (current && scope === 'new') return current.generation
  while ((await removeStale(db, current?.generation ?? 0, SUMS)) > 0) await yieldOrAbort()
  const generation = await db.transaction().execute((transaction) => makeGeneration(transaction, !current))
  for (const account of accounts) {
    let after: number | undefined = 0
    while (after !== undefined) {
      after = await copyRemoved(db, { generation, account, after, limit: SUMS })
      await yieldOrAbort()
    }
  }
  return generation
}

/** Adds the next rows to a generation in one transaction; returns whether there may be more. */
const addSlice = (db: Db, generation: number, pace: Pace, progress: VerifyProgress): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await finalRow(transaction).execute()
    return pace.step((limit) => addNext(transaction, generation, limit, progress))
  })

async function addNext(db: Db, generation: number, limit: number, progress: VerifyProgress): Promise<boolean> {
  const after = await reachedBy(db, generation)
  const { last, count } = await rowsAfter(db, after, limit)
  if (count === 0) return false
  await addRows(db, generation, { after, last })
  await setReached(db, generation, last)
  progress.rows += count
  return count === limit
}

type Slice = Readonly<{ generation: number; account: AccountKind; after: number; pace: Pace; progress: VerifyProgress }>
/** `next` is the id the next slice starts after; undefined at the end. */
type Compared = Readonly<{ next: number | undefined; differences: Difference[] }>

const compareSlice = (db: Db, { generation, account, after, pace, progress }: Slice): Promise<Compared> =>
  db.transaction().execute(async (transaction) => {
    await finalRow(transaction).execute()
    return pace.step(async (limit) => {
      // More rows were written than one slice can add: the sums do not match the accounts yet.
      if (await addNext(transaction, generation, ROWS, progress)) return { next: after, differences: [] }
      const { last, count, differences } = await compareAccounts(transaction, { generation, account, after, limit })
      progress.accounts += count
      return { next: count < limit ? undefined : last, differences }
    })
  })

async function countOf(db: Db, table: 'users' | 'tokens' | 'channels', max: number): Promise<number> {
  const { count } = await db
    .selectFrom((from) => from.selectFrom(table).select('id').limit(max).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
