import type { NodeView } from '../../shared/api/node.ts'

const NOW = Math.floor(Date.now() / 1000)

const aNode = (name: string, more: Partial<NodeView> = {}): NodeView => ({
  name,
  is_own: false,
  state: 'alive',
  version: '0.1.0',
  host: 'gateway-1',
  seen_at: NOW,
  leased_quota: 5_000_000,
  uncommitted: 0,
  uncommitted_seconds: 0,
  redis: 'up',
  may_be_fenced: false,
  ...more,
})

/** Nodes in all states. */
export const nodes: readonly NodeView[] = [
  aNode('L1MnXw6IdhpI', { is_own: true }),
  aNode('g5vZmnqrQSOx', { leased_quota: -1200, uncommitted: 128, uncommitted_seconds: 14, redis: 'away' }),
  aNode('hT5pLs8vCe2m', { state: 'draining', leased_quota: 0 }),
  aNode('qX7r2f0nTd8e', { state: 'silent', seen_at: NOW - 300, leased_quota: 250_000, may_be_fenced: true }),
  aNode('rN1LYCC1jlHg', { state: 'stopped', seen_at: null, leased_quota: 0 }),
  aNode('wK3bYQ9sUf5z', { state: 'fenced', seen_at: NOW - 86_400, leased_quota: 0 }),
]
