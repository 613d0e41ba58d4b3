import type { Journal } from './journal.ts'
import type { Charge, HoldRequest } from './ledger.ts'
import { lineOf } from './replay.ts'

/** A running request and what it would cost if it ended now. */
type Checkpoint = Readonly<{ ask: HoldRequest; limited: boolean; charge: Charge; isUncounted?: boolean }>

/** The checkpoints of requests that are still running, in a file of their own, kept small. */
export interface Checkpoints {
  checkpoint(checkpoint: Checkpoint): void
  /** What the request was last charged at; undefined before its first checkpoint. */
  last(requestId: string): Charge | undefined
  /** The request has been settled. */
  done(requestId: string): void
  /** Empties the file where nothing runs any more; else leaves the last checkpoints alone in it, once it has grown. */
  compact(): void
}

const COMPACT_BYTES = 1024 * 1024

/** Never throws: where the disk takes no checkpoint, `failed` is told and a crash charges the one before. */
export function createCheckpoints(
  progress: Journal,
  installation: string,
  failed: (error: unknown) => void,
): Checkpoints {
  const latest = new Map<string, Checkpoint>()
  /** Bytes in the file when it held nothing but the last checkpoints. */
  let min = 0
  const record = ({ ask, limited, charge, isUncounted = false }: Checkpoint) =>
    lineOf(installation, { sequence: 0, ...ask, limited, charge, isUncounted })
  const compact = () => {
    if (progress.size() === 0 || (latest.size > 0 && progress.size() < 2 * min + COMPACT_BYTES)) return
    // Where it cannot be rewritten, the next try comes when the file has doubled.
    min = progress.size()
    if (latest.size === 0) progress.truncate()
    else progress.rewrite(Array.from(latest.values(), record))
    min = progress.size()
  }
  const safely = (work: () => void) => {
    try {
      work()
    } catch (error) {
      failed(error)
    }
  }
  return {
    checkpoint(checkpoint) {
      latest.set(checkpoint.ask.requestId, checkpoint)
      safely(() => {
        progress.append(record(checkpoint))
        compact()
      })
    },
    last: (requestId) => latest.get(requestId)?.charge,
    done(requestId) {
      if (latest.delete(requestId) && latest.size === 0) safely(compact)
    },
    compact: () => safely(compact),
  }
}
