import { z } from 'zod'
import { call } from './call.ts'

const report = z
  .object({
    answers: z.int(),
    bytes: z.int().describe('What they take in memory.'),
    hits: z.int().describe('How often one was given again since the start.'),
  })
  .meta({ id: 'ResponseCacheReport' })

/** The response cache for administrators (docs/reference/cache.md#clearing). */
export const responseCache = {
  report: call({
    method: 'GET',
    path: '/api/response_cache',
    summary: 'Returns the size of the response cache and its hits.',
    access: 'admin',
    answer: report,
  }),
  clear: call({
    method: 'DELETE',
    path: '/api/response_cache',
    summary: 'Empties the response cache, and returns how many responses there were.',
    access: 'admin',
    answer: z.int(),
  }),
}
