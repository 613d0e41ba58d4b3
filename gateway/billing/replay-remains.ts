import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../base/log/logger.ts'
import { copyWhole } from '../base/whole-file.ts'
import { CannotStart, EXIT, LEDGER_JOURNAL } from '../store/sqlite/database.ts'
import type { Balances } from './balances.ts'
import type { Journal } from './journal.ts'
import { requestsIn, unwritten } from './replay.ts'
import type { Queue } from './write-queue.ts'

export const PROGRESS_JOURNAL = 'progress.journal'

type RemainsDeps = Readonly<{
  balances: Pick<Balances, 'forget'>
  folder: string
  journal: Journal
  progress: Journal
  anchor: { installation: string; sequence: number }
  queue: Queue
  /** Which of these requests have their charge in the ledger. */
  written: (requestIds: readonly string[]) => Promise<ReadonlySet<string>>
  log: Logger
}>

/**
 * Writes what the last run left, drops the affected balances from memory, and returns the sequence to continue from.
 * Throws `CannotStart`.
 */
export const writeRemains = (deps: RemainsDeps): Promise<number> =>
  replay(deps).catch((cause) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(EXIT.badData, `what the last run left in ${deps.folder} cannot be written: ${why}`, cause)
  })

async function replay(deps: RemainsDeps): Promise<number> {
  const { balances, folder, journal, progress, anchor, queue, written, log } = deps
  const settled = journal.read()
  const started = progress.read()
  const known = await written(requestsIn(started.records))
  const { entries, strangers } = unwritten(settled.records, started.records, anchor, (id) => known.has(id))
  const damaged = settled.damaged + started.damaged + strangers
  if (damaged > 0) {
    const names = [LEDGER_JOURNAL, PROGRESS_JOURNAL].filter((name) => statSync(join(folder, name)).size > 0)
    const copies = names.map((name) => keepCopy(folder, name, anchor.sequence))
    log.error('journal lines could not be read; the files are not deleted', { lines: damaged, kept: copies })
  }
  for (const entry of entries) queue.add(entry)
  await queue.flush()
  // Writing the entries cached each user's balance as the last run left it, without these charges.
  for (const { userId } of entries) balances.forget({ userId })
  if (entries.length > 0) log.warn('charges of the last run were written', { charges: entries.length })
  journal.truncate()
  progress.truncate()
  return entries.reduce((highest, { sequence }) => Math.max(highest, sequence), anchor.sequence)
}

function keepCopy(folder: string, name: string, sequence: number): string {
  const file = join(folder, `${name}.unread-${sequence}`)
  let copy = file
  for (let attempt = 2; existsSync(copy); attempt += 1) copy = `${file}-${attempt}`
  copyWhole(join(folder, name), copy)
  return copy
}
