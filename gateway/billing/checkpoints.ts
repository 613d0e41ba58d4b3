import type { Journal } from './journal.ts'
import type { Charge, HoldRequest } from './ledger.ts'
import { lineOf, withdrawalOf } from './replay.ts'

type Checkpoint = Readonly<{ request: HoldRequest; limited: boolean; charge: Charge; isUncounted?: boolean }>

export interface Checkpoints {
  checkpoint(checkpoint: Checkpoint): void
  /** The last recorded charge of the request; undefined if it has no checkpoint. */
  last(requestId: string): Charge | undefined
  done(requestId: string): void
  /**
   * Forgets the checkpoint of a request that continues: a crash then charges nothing, unless another checkpoint
   * follows.
   */
  withdraw(requestId: string): void
  /**
   * Empties the file if no request has a checkpoint; otherwise, once it has grown, reduces it to the latest
   * checkpoints.
   */
  compact(): void
}

const COMPACT_BYTES = 1024 * 1024

/** Never throws: if a checkpoint cannot be written, calls `failed`, and a crash would charge the previous one. */
export function createCheckpoints(
  progress: Journal,
  installation: string,
  failed: (error: unknown) => void,
): Checkpoints {
  const latest = new Map<string, Checkpoint>()
  let compactedSize = 0
  const record = ({ request, limited, charge, isUncounted = false }: Checkpoint) =>
    lineOf(installation, { sequence: 0, ...request, limited, charge, isUncounted })
  const compact = () => {
    if (progress.size() === 0 || (latest.size > 0 && progress.size() < 2 * compactedSize + COMPACT_BYTES)) return
    // Set first: if rewriting fails, the next attempt waits until the file has doubled.
    compactedSize = progress.size()
    if (latest.size === 0) progress.truncate()
    else progress.rewrite(Array.from(latest.values(), record))
    compactedSize = progress.size()
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
      latest.set(checkpoint.request.requestId, checkpoint)
      safely(() => {
        progress.append(record(checkpoint))
        compact()
      })
    },
    last: (requestId) => latest.get(requestId)?.charge,
    done(requestId) {
      if (latest.delete(requestId) && latest.size === 0) safely(compact)
    },
    withdraw(requestId) {
      if (!latest.delete(requestId)) return
      safely(() => {
        progress.append(withdrawalOf(installation, requestId))
        compact()
      })
    },
    compact: () => safely(compact),
  }
}
