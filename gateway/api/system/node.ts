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
export function nodeApi({ nodes, auditLog, clock }: NodeApiDeps): Served[] {
  const record = ({ id, username }: Readonly<{ id: number; username: string }>, content: string) =>
    auditLog.record({
      user_id: 0,
      created_at: unixSeconds(clock),
      type: logType.manage,
      content,
      other: JSON.stringify({ admin_info: { actor: { id, username } } }),
    })
  return serve(node, {
    list: async () => (await nodes.list()).map((state) => viewOf(state, nodes)),
    fence: async ({ params: { name }, actor, caller: { locale } }) => {
      const result = await nodes.fence(name)
      if (result === 'missing') throw refuse('missing', 'node.missing')
      if (result === 'alive') throw refuse('invalid', 'node.alive', { seconds: nodes.fenceSeconds })
      record(actor, formatMessage(locale, 'log.node_fence', { name }))
      return null
    },
    drain: async ({ params: { name }, body: { is_draining }, actor, caller: { locale } }) => {
      if (!(await nodes.drain(name, is_draining))) throw refuse('missing', 'node.missing')
      record(actor, formatMessage(locale, is_draining ? 'log.node_drain' : 'log.node_resume', { name }))
      return null
    },
  })
}

/** A node without a sign of life for this long counts as silent. */
const SILENT_SECONDS = 10

function viewOf(node: NodeState, { own, fenceSeconds }: Nodes) {
  const {
    id,
    version,
    host,
    seenAt,
    silentSeconds,
    fencedAt,
    leased,
    uncommitted,
    uncommittedSeconds,
    redis,
    isDraining,
  } = node
  const isHeard = seenAt > 0 && silentSeconds < SILENT_SECONDS
  return {
    name: id,
    is_own: id === own,
    state: stateOf({ isFenced: fencedAt !== null, hasStopped: seenAt === 0, isHeard, isDraining }),
    version,
    host,
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
  isDraining,
}: Readonly<Record<'isFenced' | 'hasStopped' | 'isHeard' | 'isDraining', boolean>>): NodeView['state'] {
  if (isFenced) return 'fenced'
  if (hasStopped) return 'stopped'
  if (!isHeard) return 'silent'
  return isDraining ? 'draining' : 'alive'
}
