import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { type Jobs, nothingDue } from '../../base/jobs.ts'
import { upTo } from '../../base/lru.ts'
import type { Settings } from '../../settings/settings.ts'
import type { NewLog } from '../../store/schema/schema.ts'

/** Log rows of failed requests. If a caller keeps failing, its rows beyond a limit are folded into one per minute. */
export interface FailureLog {
  /**
   * Queues a row of type 5, if such rows are logged, or folds it: beyond 20 of the same token and code, or 100 of the
   * same token, without a quiet minute between, or 1,000 of an account in an hour, or without disk space. Returns false
   * if folded, so that callers write nothing else about it.
   */
  note(row: NewLog, code: string): boolean
  flush(): void
  stop(): Promise<void>
}

type FailureLogDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  write: (row: NewLog) => void
  clock: Clock
  jobs: Jobs
  hasDiskSpace: () => boolean
}>

/** Rows written individually per token and code, and per token, before further ones are folded. */
export const MAX_SIMILAR = 20
export const MAX_PER_TOKEN = 100
/** Rows written individually per account and hour: one with many tokens could otherwise fill the disk. */
export const MAX_PER_ACCOUNT = 1000
const HOUR_MS = 60 * 60_000
/** After a quiet minute, a token's rows are written individually again; a folded row of this age is written. */
const MINUTE_MS = 60_000
const FLUSH_MS = 10_000
/** Tokens with codes, and accounts, that are tracked; evicting one writes its folded row. */
const MAX_KEYS = 5000
const MAX_CODE_LENGTH = 60

/** Failures without a quiet minute between; `row` is the last folded one, `count` their number. */
type Burst = {
  noted: number
  lastMs: number
  folded: { row: NewLog; count: number; first: number; sinceMs: number } | undefined
}

export function createFailureLog({ settings, write, clock, jobs, hasDiskSpace }: FailureLogDeps): FailureLog {
  const isEnabled = () => settings.get('ErrorLogEnabled')
  const release = (burst: Burst) => {
    const { folded } = burst
    burst.folded = undefined
    if (folded && isEnabled()) write(folded.count === 1 ? folded.row : withCount(folded))
  }
  const bursts = new LRUCache<string, Burst>({ ...upTo(MAX_KEYS), dispose: release })
  const burstOf = (key: string, nowMs: number): Burst => {
    const known = bursts.get(key)
    const burst = known ?? { noted: 0, lastMs: nowMs, folded: undefined }
    if (!known) bursts.set(key, burst)
    if (nowMs - burst.lastMs > MINUTE_MS) burst.noted = 0
    burst.noted += 1
    burst.lastMs = nowMs
    return burst
  }
  /** `noted` is the number of rows written individually in the hour that began at `lastMs`. */
  const accounts = new LRUCache<number, Burst>({ ...upTo(MAX_KEYS), dispose: release })
  const accountOf = (id: number, nowMs: number): Burst => {
    const known = accounts.get(id)
    if (known && nowMs - known.lastMs < HOUR_MS) return known
    const account = { noted: 0, lastMs: nowMs, folded: undefined }
    accounts.set(id, account)
    return account
  }
  const flush = (minMs: number): number => {
    const nowMs = clock.monotonic()
    const due = [...bursts.values(), ...accounts.values()].filter(
      ({ folded }) => folded && nowMs - folded.sinceMs >= minMs,
    )
    for (const burst of due) release(burst)
    return due.length
  }
  const job = jobs.begin({
    name: 'failure-log',
    everyMs: FLUSH_MS,
    isOnEveryNode: true,
    work() {
      const n = flush(MINUTE_MS)
      return n === 0 ? nothingDue : { key: 'job.written', params: { n } }
    },
  })
  return {
    note(row, code) {
      const nowMs = clock.monotonic()
      const account = accountOf(row.user_id, nowMs)
      if (account.noted >= MAX_PER_ACCOUNT || !hasDiskSpace()) {
        fold(account, row, nowMs)
        return false
      }
      const token = `${row.user_id} ${row.token_id}`
      const ofToken = burstOf(token, nowMs)
      const alike = burstOf(`${token} ${code.slice(0, MAX_CODE_LENGTH)}`, nowMs)
      if (ofToken.noted <= MAX_PER_TOKEN && alike.noted <= MAX_SIMILAR) {
        account.noted += 1
        if (isEnabled()) write(row)
        return true
      }
      fold(alike.noted > MAX_SIMILAR ? alike : ofToken, row, nowMs)
      return false
    },
    flush: () => void flush(MINUTE_MS),
    async stop() {
      await job.stop()
      flush(0)
    },
  }
}

function fold(burst: Burst, row: NewLog, sinceMs: number): void {
  burst.folded ??= { row, count: 0, first: row.created_at, sinceMs }
  burst.folded.row = row
  burst.folded.count += 1
}

/** The last of the rows, with their number and the time of the first. */
function withCount({ row, count, first }: NonNullable<Burst['folded']>): NewLog {
  const facts = JSON.parse(row.other ?? '{}') as object // written by `failureRow`
  return { ...row, other: JSON.stringify({ ...facts, folded: { count, first, last: row.created_at } }) }
}
