import { logType } from '../../shared/enums.ts'
import { isObject, parsed } from '../base/json/json.ts'
import { breathe } from '../base/pace.ts'
import type { NewLog } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { ForeignDatabase } from '../store/sqlite/foreign-database.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { flagOf, nameOf, textOf, timeOf, wholeOf } from './cells.ts'
import type { ImportPlan } from './plan.ts'
import type { WrittenImport } from './write.ts'

const logColumns = [
  'id',
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'elapsed_time',
  'is_stream',
  'channel_id',
  'channel',
  'token_id',
  'group',
  'ip',
  'other',
] as const

/** Rows per transaction, which blocks the ledger for a few milliseconds. */
const STEP = 100

type LogWriting = Readonly<{
  db: Db
  database: ForeignDatabase
  plan: ImportPlan
  written: WrittenImport
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}>

/**
 * Imports the usage log in small transactions, each of which records its progress: after an interruption, a later
 * import of the same installation continues there. Returns false if the signal aborted it. Charges no one.
 */
export async function writeLogs({ db, database, plan, written, onProgress, signal }: LogWriting): Promise<boolean> {
  const total = database.tables.logs?.rows ?? 0
  let done = 0
  for await (const rows of database.rows('logs', logColumns, BigInt(plan.logs.after))) {
    for (let from = 0; from < rows.length; from += STEP) {
      if (signal.aborted) return false
      await writeStep(db, rows.slice(from, from + STEP), { plan, written })
      done += Math.min(STEP, rows.length - from)
      onProgress(Math.min(done, total), total)
      await breathe()
    }
  }
  return true
}

const writeStep = (db: Db, rows: readonly ForeignRow[], of: Pick<LogWriting, 'plan' | 'written'>): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    const taken = rows.flatMap((row) => rowOf(row, of))
    if (taken.length > 0) await transaction.insertInto('logs').values(taken).execute()
    const logs_after = wholeOf(rows.at(-1) ?? {}, 'id')
    await transaction.updateTable('imports').set({ logs_after }).where('id', '=', of.written.importId).execute()
  })

/**
 * The bound of quotas and token counts: more than any request costs, and small enough that sums of very many rows stay
 * exact.
 */
const MAX = 1_000_000_000_000
/**
 * Max characters of the texts of a row, as in this gateway's own rows: a page of a hundred is read and written at once.
 */
const MAX_CONTENT = 4000
const MAX_OTHER = 16_384
/** one-api logs tests under this type, which means an error elsewhere. */
const ONE_API_TEST = 5

function rowOf(row: ForeignRow, { plan, written }: Pick<LogWriting, 'plan' | 'written'>): NewLog[] {
  const type = wholeOf(row, 'type')
  if (plan.origin === 'one-api' && type === ONE_API_TEST) return []
  const other = textOf(row, 'other')
  return [
    {
      user_id: written.users.get(wholeOf(row, 'user_id')) ?? 0,
      created_at: timeOf(row, 'created_at'),
      type: type >= logType.topUp && type <= logType.error ? type : logType.system,
      content: textOf(row, 'content').slice(0, MAX_CONTENT),
      username: nameOf(row, 'username', 100),
      token_name: nameOf(row, 'token_name', 100),
      model_name: nameOf(row, 'model_name', 255),
      quota: wholeOf(row, 'quota', { min: -MAX, max: MAX }),
      prompt_tokens: wholeOf(row, 'prompt_tokens', { max: MAX }),
      completion_tokens: wholeOf(row, 'completion_tokens', { max: MAX }),
      use_time: wholeOf(row, 'use_time') || Math.round(wholeOf(row, 'elapsed_time') / 1000),
      is_stream: flagOf(row, 'is_stream') ? 1 : 0,
      channel_id: written.channels.get(wholeOf(row, 'channel_id') || wholeOf(row, 'channel')) ?? 0,
      token_id: written.tokens.get(wholeOf(row, 'token_id')) ?? 0,
      group: nameOf(row, 'group', 64),
      ip: nameOf(row, 'ip', 64),
      other: other.length <= MAX_OTHER && isObject(parsed(other)) ? other : '',
      request_id: '',
    },
  ]
}
