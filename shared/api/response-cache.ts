import { z } from 'zod'
import { call } from './call.ts'

const report = z
  .object({
    answers: z.int(),
    bytes: z.int().describe('Memory of the stored responses, in bytes.'),
    hits: z.int().describe('Number of responses served from the cache since the start.'),
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
    summary: 'Empties the response cache, and returns the number of responses.',
    access: 'admin',
    answer: z.int(),
  }),
}
