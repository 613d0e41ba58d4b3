import { firstCall, type LastCall } from '../../../shared/api/first-call.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { SettledCalls } from '../../relay/metering/settled-calls.ts'
import { tokenStore } from '../../store/accounts/tokens.ts'
import { chargeAt } from '../../store/log/logs.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { serve } from '../serve.ts'

type FirstCallDeps = Readonly<{ db: Db; ledger: Pick<Ledger, 'flush'>; settled: SettledCalls }>

/** Notifies a console when the next call of its user's tokens has been charged; also returns the last call. */
export const firstCallApi = ({ db, ledger, settled }: FirstCallDeps) =>
  serve(firstCall, {
    wait:
      ({ actor }) =>
      (send) =>
        settled.next(actor.id, ({ model, tokens, quota, requestId, at }) =>
          send({ model, tokens, quota, request_id: requestId, at }),
        ),
    last: async ({ actor, query }) => {
      await ledger.flush()
      return lastCall(db, actor.id, query.token_id)
    },
  })

/** The time comes from the token used last; the details from the log, if it reaches back to that moment. */
async function lastCall(db: Db, userId: number, tokenId?: number): Promise<LastCall | null> {
  const at = await tokenStore(db).lastUsed(userId, tokenId)
  if (at === 0) return null
  const row = await chargeAt(db, userId, at, tokenId)
  if (!row) return { model: null, tokens: null, quota: null, at }
  return { model: row.model_name, tokens: row.prompt_tokens + row.completion_tokens, quota: row.quota, at }
}
