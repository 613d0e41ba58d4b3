import { z } from 'zod'
import { objectIn, textIn } from '../base/json/json.ts'
import type { NewLog } from '../store/schema/schema.ts'
import type { Sqlite } from '../store/sqlite/database.ts'
import type { CommitEntry } from './ledger.ts'

const charge = z.object({
  quota: z.number(),
  channelId: z.number(),
  at: z.number(),
  // The row was written by this program, and the table's constraints check it on insert.
  log: z.custom<NewLog>((value) => typeof value === 'object').nullable(),
  tokens: z.number().exactOptional(),
  use: z
    .object({ username: z.string(), model: z.string(), tookMs: z.number(), firstByteMs: z.number() })
    .exactOptional(),
  failedChannels: z.array(z.int()).exactOptional(),
  isRefundable: z.boolean().exactOptional(),
})

/** A line of the journal: `i` is the id of its installation, `s` its sequence number. */
const line = z.object({
  i: z.string(),
  s: z.number(),
  requestId: z.string(),
  userId: z.number(),
  tokenId: z.number(),
  limited: z.boolean(),
  charge,
  isUncounted: z.boolean().exactOptional(),
})
type Line = z.output<typeof line>

const withdrawal = z.object({ i: z.string(), requestId: z.string(), isWithdrawn: z.literal(true) })

/** The line that cancels the checkpoints of a request before it. */
export const withdrawalOf = (installation: string, requestId: string): z.output<typeof withdrawal> => ({
  i: installation,
  requestId,
  isWithdrawn: true,
})

/** The line of a charge; `sequence` is 0 while the request is running. */
export const lineOf = (
  installation: string,
  { sequence, requestId, userId, tokenId, limited, charge: owed, isUncounted }: Omit<CommitEntry, 'note'>,
) => ({
  i: installation,
  s: sequence,
  requestId,
  userId,
  tokenId,
  limited,
  charge: owed,
  ...(isUncounted ? { isUncounted } : {}),
})

/**
 * Returns what the last run settled or delivered but did not write to the database: settled lines after the anchor, and
 * the last checkpoint of each request that was still running. Of two settled lines of one request the first wins.
 * `strangers` counts lines of another installation or of an invalid shape.
 */
export function unwritten(
  settled: readonly unknown[],
  progress: readonly unknown[],
  anchor: { installation: string; sequence: number },
  isWritten: (requestId: string) => boolean,
): { entries: CommitEntry[]; strangers: number } {
  const entries = new Map<string, CommitEntry>()
  let strangers = 0
  let sequence = anchor.sequence
  for (const record of settled) {
    const read = line.safeParse(record)
    if (!read.success || read.data.i !== anchor.installation) {
      strangers += 1
      continue
    }
    sequence = Math.max(sequence, read.data.s)
    if (read.data.s > anchor.sequence && !entries.has(read.data.requestId))
      entries.set(read.data.requestId, entryOf(read.data, read.data.s))
  }
  const settledIds = new Set(entries.keys())
  for (const record of progress) {
    const withdrawn = withdrawal.safeParse(record)
    if (withdrawn.success && withdrawn.data.i === anchor.installation) {
      if (!settledIds.has(withdrawn.data.requestId)) entries.delete(withdrawn.data.requestId)
      continue
    }
    const read = line.safeParse(record)
    if (!read.success || read.data.i !== anchor.installation) strangers += 1
    else if (!settledIds.has(read.data.requestId) && !isWritten(read.data.requestId))
      entries.set(read.data.requestId, entryOf(read.data, ++sequence))
  }
  return { entries: [...entries.values()], strangers }
}

/** The requests that the lines of a journal name. */
export const requestsIn = (records: readonly unknown[]): string[] => [
  ...new Set(records.map((record) => textIn(objectIn(record).requestId) ?? '').filter(Boolean)),
]

/** Reads the row that ties a journal to this database; creates it on first use. */
export function readAnchor(
  writer: Sqlite,
  freshInstallation: () => string,
): { installation: string; sequence: number } {
  const read = () =>
    writer.prepare('select installation, sequence from journal_anchor where id = 1').get() as
      | { installation: string; sequence: number }
      | undefined
  const known = read()
  if (known) return known
  writer.prepare('insert into journal_anchor (id, installation, sequence) values (1, ?, 0)').run(freshInstallation())
  return readAnchor(writer, freshInstallation)
}

const entryOf = (
  { requestId, userId, tokenId, limited, charge: owed, isUncounted = false }: Line,
  sequence: number,
): CommitEntry => ({
  sequence,
  requestId,
  userId,
  tokenId,
  limited,
  charge: owed,
  note: null,
  isUncounted,
})
