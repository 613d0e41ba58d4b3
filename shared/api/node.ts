import { z } from 'zod'
import { call } from './call.ts'

const nodeView = z
  .object({
    name: z.string(),
    is_own: z.boolean().describe('This gateway.'),
    state: z
      .enum(['alive', 'draining', 'silent', 'stopped', 'fenced'])
      .describe(
        'Draining: it reports that it is not ready. Silent: not heard for 10 s. Stopped: it has ended and returned its quota.',
      ),
    version: z.string(),
    host: z.string().describe('The name of its machine or container.'),
    seen_at: z.int().nullable().describe('Unix seconds by the clock of the database; null if it has stopped.'),
    leased_quota: z.int().describe('Quota that it uses or has leased in advance; negative if charges exceeded it.'),
    uncommitted: z.int().describe('Charges that were not in the database at its last sign of life.'),
    uncommitted_seconds: z.int().describe('For how long it had not written any of them.'),
    redis: z.enum(['none', 'up', 'away']).describe('Whether it counts limits together with the other nodes.'),
    may_be_fenced: z.boolean().describe('It was silent for long enough.'),
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
    summary: 'Frees the quota that a lost gateway has leased; refuses while the database hears it.',
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
