import { type NodeView, node } from '../../../shared/api/node.ts'
import { logType } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { NodeState, Nodes } from '../../billing/nodes.ts'
import { type Served, serve } from '../serve.ts'

type NodeApiDeps = Readonly<{ nodes: Nodes; auditLog: AuditLog; clock: Clock }>

/** The gateways of a database, for root (docs/growth.md#nodes). */
export const nodeApi = ({ nodes, auditLog, clock }: NodeApiDeps): Served[] =>
  serve(node, {
    list: async () => (await nodes.list()).map((state) => viewOf(state, nodes)),
    fence: async ({ params: { name }, actor, caller: { locale } }) => {
      const result = await nodes.fence(name)
      if (result === 'missing') throw refuse('missing', 'node.missing')
      if (result === 'alive') throw refuse('invalid', 'node.alive', { seconds: nodes.fenceSeconds })
      auditLog.record({
        user_id: 0,
        created_at: unixSeconds(clock),
        type: logType.manage,
        content: formatMessage(locale, 'log.node_fence', { name }),
        other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
      })
      return null
    },
  })

/** A node without a sign of life for this long counts as silent. */
const SILENT_SECONDS = 10

function viewOf(node: NodeState, { own, fenceSeconds }: Nodes) {
  const { id, version, seenAt, silentSeconds, fencedAt, leased, uncommitted, uncommittedSeconds, redis } = node
  const isHeard = seenAt > 0 && silentSeconds < SILENT_SECONDS
  return {
    name: id,
    is_own: id === own,
    state: stateOf({ isFenced: fencedAt !== null, hasStopped: seenAt === 0, isHeard }),
    version,
    seen_at: seenAt === 0 ? null : seenAt,
    leased_quota: leased,
    uncommitted,
    uncommitted_seconds: uncommittedSeconds,
    redis,
    may_be_fenced: fencedAt === null && silentSeconds >= fenceSeconds,
  }
}

function stateOf({
  isFenced,
  hasStopped,
  isHeard,
}: Readonly<Record<'isFenced' | 'hasStopped' | 'isHeard', boolean>>): NodeView['state'] {
  if (isFenced) return 'fenced'
  if (hasStopped) return 'stopped'
  return isHeard ? 'alive' : 'silent'
}
