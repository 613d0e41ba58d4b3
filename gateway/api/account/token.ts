import { token } from '../../../shared/api/token.ts'
import { logType, tokenStatus } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { Tokens } from '../../accounts/tokens/tokens.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { GatewayError } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import type { ResponseCache } from '../../relay/response-cache/response-cache.ts'
import { pageAtIndex } from '../../store/page.ts'
import { serve } from '../serve.ts'

type TokenApiDeps = Readonly<{
  tokens: Tokens
  responseCache: Pick<ResponseCache, 'clearToken'>
  auditLog: AuditLog
  clock: Clock
}>

/** The calls on API tokens (docs/reference/accounts.md#api-tokens); each is restricted to the caller's own tokens. */
export const tokenApi = ({ tokens, responseCache, auditLog, clock }: TokenApiDeps) =>
  serve(token, {
    list: async ({ query: { p, size, sort }, actor, caller }) => {
      const { rows, total } = await tokens.page(actor.id, pageAtIndex(p, size), sort, caller.memory)
      return { data: rows, extras: { total, page: p, page_size: size } }
    },
    search: ({ query: { keyword, token: key, sort }, actor, caller }) =>
      tokens.search(actor.id, { keyword, key, sort }, caller.memory),
    one: ({ params, actor }) => tokens.one(actor.id, params.id),
    create: ({ body, actor }) => tokens.create(actor, body),
    update: ({ body, query, actor }) => tokens.update(actor, body, query.status_only),
    rekey: async ({ params, actor, caller }) => {
      const view = await tokens.rekey(actor.id, params.id)
      auditLog.record({
        user_id: actor.id,
        created_at: unixSeconds(clock),
        type: logType.manage,
        content: formatMessage(caller.locale, 'log.token_key', { name: view.name, id: view.id }),
        other: JSON.stringify({ admin_info: { token: view.id, actor: { id: actor.id, username: actor.username } } }),
      })
      return view
    },
    remove: async ({ params, actor }) => {
      await tokens.remove(actor.id, params.id)
      return null
    },
    removeMany: ({ body, actor }) =>
      each(body.ids, async (id) => {
        await tokens.remove(actor.id, id)
        return true
      }),
    disableMany: ({ body, actor }) =>
      each(body.ids, async (id) => {
        const { status } = await tokens.one(actor.id, id)
        if (status !== tokenStatus.enabled) return false
        await tokens.update(actor, { id, status: tokenStatus.disabled }, true)
        return true
      }),
    clearCache: async ({ params, actor }) => {
      const { id } = await tokens.one(actor.id, params.id)
      return responseCache.clearToken(id)
    },
  })

/** Runs `work` for each id, yielding before each; returns how many succeeded. Ids that no longer exist are skipped. */
async function each(ids: readonly number[], work: (id: number) => Promise<boolean>): Promise<number> {
  let count = 0
  for (const id of new Set(ids)) {
    await yieldToOthers()
    try {
      if (await work(id)) count += 1
    } catch (error) {
      if (!(error instanceof GatewayError && error.kind === 'missing')) throw error
    }
  }
  return count
}
