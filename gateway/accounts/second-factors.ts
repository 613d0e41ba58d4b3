import type { Db } from '../store/database.ts'
import { factorStore } from '../store/factors.ts'

/** How many second factors an account has: whatever counts as one is counted here, and nowhere else. */
export async function countSecondFactors(db: Db, userId: number): Promise<number> {
  const app = await factorStore(db).authenticator(userId)
  return app?.confirmed_at == null ? 0 : 1
}
