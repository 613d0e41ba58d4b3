import { z } from 'zod'
import { call } from './call.ts'
import { queryNumber } from './fields.ts'

/** A call made with one of the user's API tokens and just charged. */
const firstCallView = z
  .object({
    model: z.string(),
    tokens: z.int().describe('Prompt and completion tokens.'),
    quota: z.int(),
    request_id: z.string(),
    at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'FirstCall' })

/** The newest call made with the user's API tokens; its details are null if the log no longer has them. */
const lastCallView = z
  .object({
    model: z.string().nullable(),
    tokens: z.int().nullable().describe('Prompt and completion tokens.'),
    quota: z.int().nullable(),
    at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'LastCall' })
export type LastCall = z.infer<typeof lastCallView>

/**
 * Waits for the first external call (docs/reference/design.md#first-five-minutes); calls of the playground are ignored.
 */
export const firstCall = {
  /** Ends with the event, or without one after 15 minutes; comments keep the connection alive. */
  wait: call({
    method: 'GET',
    path: '/api/first-call',
    summary:
      'Waits for the next request with one of your tokens from another program and reports it in one server-sent event.',
    access: 'user',
    isEvent: true,
    answer: firstCallView,
  }),
  last: call({
    method: 'GET',
    path: '/api/first-call/last',
    summary: 'Returns the newest request with one of your tokens from another program; null if there was none.',
    access: 'user',
    query: z.object({ token_id: queryNumber().optional().describe('Only requests of this token.') }),
    answer: lastCallView.nullable(),
  }),
}
