import { z } from 'zod'
import { call } from './call.ts'

const nodeView = z
  .object({
    name: z.string(),
    is_own: z.boolean().describe('This gateway.'),
    state: z
      .enum(['alive', 'draining', 'silent', 'stopped', 'fenced'])
      .describe(
        '`draining`: it reports that it is not ready. `silent`: no sign of life for 10 s. `stopped`: it ended and returned its quota.',
      ),
    version: z.string(),
    host: z.string().describe('Name of the machine or container.'),
    seen_at: z.int().nullable().describe('Unix seconds by the clock of the database; null if it has stopped.'),
    leased_quota: z
      .int()
      .describe('Quota that the node uses or has leased in advance; negative if charges exceeded it.'),
    uncommitted: z.int().describe('Charges that were not in the database at its last sign of life.'),
    uncommitted_seconds: z.int().describe('Seconds for which none of them had been written.'),
    redis: z
      .enum(['none', 'up', 'away'])
      .describe('Whether the node shares its counts for limits with the other nodes.'),
    may_be_fenced: z.boolean().describe('Whether the node has been silent for long enough to be fenced.'),
  })
  .meta({ id: 'Node' })
export type NodeView = z.infer<typeof nodeView>

/** The gateways that share a PostgreSQL database (docs/growth.md#nodes). */
export const node = {
  list: call({
    method: 'GET',
    path: '/api/node',
    summary: 'Lists the gateways that share a PostgreSQL database; none on SQLite.',
    access: 'root',
    answer: z.array(nodeView),
  }),
  fence: call({
    method: 'POST',
    path: '/api/node/:name/fence',
    summary: 'Returns the quota that a lost gateway has leased; refused while it still reports to the database.',
    access: 'root',
    params: z.object({ name: z.string().max(100) }),
    answer: z.null(),
  }),
  drain: call({
    method: 'POST',
    path: '/api/node/:name/drain',
    summary:
      'Makes a gateway report that it is not ready, so that a balancer sends it no more requests, or ready again.',
    access: 'root',
    params: z.object({ name: z.string().max(100) }),
    body: z.object({ is_draining: z.boolean() }),
    answer: z.null(),
  }),
}
