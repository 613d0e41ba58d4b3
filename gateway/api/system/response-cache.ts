import { responseCache as calls } from '../../../shared/api/response-cache.ts'
import { logType } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { ResponseCache } from '../../relay/response-cache/response-cache.ts'
import { serve } from '../serve.ts'

type ResponseCacheApiDeps = Readonly<{
  responseCache: Pick<ResponseCache, 'report' | 'clear'>
  auditLog: AuditLog
  clock: Clock
}>

/** Content of the response cache, and clearing it, which is logged (docs/reference/cache.md#clearing). */
export const responseCacheApi = ({ responseCache, auditLog, clock }: ResponseCacheApiDeps) =>
  serve(calls, {
    report: async () => responseCache.report(),
    clear: async ({ actor, caller }) => {
      const n = await responseCache.clear()
      auditLog.record({
        user_id: 0,
        created_at: unixSeconds(clock),
        type: logType.manage,
        content: formatMessage(caller.locale, 'log.cache_cleared', { n }),
        other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
      })
      return n
    },
  })
