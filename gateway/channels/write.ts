import type { Db } from '../store/database.ts'
import type { Roster } from './roster.ts'

/** Runs `work` in one transaction and answers once the roster has followed; a failure leaves both as they were. */
export type Write = <T>(work: (transaction: Db) => Promise<T>) => Promise<T>

/** How channels are written: nobody gets an answer while routing still goes by the older state. */
export const writeOver =
  ({ db, roster }: Readonly<{ db: Db; roster: Roster }>): Write =>
  async (work) => {
    const answer = await db.transaction().execute(work)
    await roster.reload()
    return answer
  }
