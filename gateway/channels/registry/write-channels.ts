import type { Db } from '../../store/database.ts'
import type { ChannelRegistry } from './channel-registry.ts'

/** What was written: the channels that are other than before, and what the caller is told. */
export type Written<T> = Readonly<{ ids: readonly number[]; answer: T }>

/** Runs `work` in one transaction and answers once the roster has followed; a failure leaves both as they were. */
export type Write = <T>(work: (transaction: Db) => Promise<Written<T>>) => Promise<T>

/** How channels are written: nobody gets an answer while routing still goes by the older state. */
export const writeOver =
  ({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): Write =>
  async (work) => {
    const { ids, answer } = await db.transaction().execute(work)
    if (ids.length > 0) await registry.reload(ids)
    return answer
  }
