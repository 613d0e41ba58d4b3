import { z } from 'zod'
import { call } from './call.ts'

/** A call of one of the person's API tokens that has just been charged. */
const firstCallView = z
  .object({
    model: z.string(),
    tokens: z.int().describe('Prompt and completion together.'),
    quota: z.int(),
    request_id: z.string(),
    at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'FirstCall' })

/** The newest call of the person's API tokens; what it was is null where the log no longer tells. */
const lastCallView = z
  .object({
    model: z.string().nullable(),
    tokens: z.int().nullable().describe('Prompt and completion together.'),
    quota: z.int().nullable(),
    at: z.int().describe('Unix seconds.'),
  })
  .meta({ id: 'LastCall' })
export type LastCall = z.infer<typeof lastCallView>

/**
 * Waiting for the first call from outside (docs/reference/design.md#first-five-minutes); the playground does not
 * count.
 */
export const firstCall = {
  /** Ends with the event, or without one after a quarter of an hour; comments in between keep the connection alive. */
  wait: call({
    method: 'GET',
    path: '/api/first-call',
    summary: 'Waits for the next request of one of your tokens from outside and tells of it in one server-sent event.',
    access: 'user',
    isEvent: true,
    answer: firstCallView,
  }),
  last: call({
    method: 'GET',
    path: '/api/first-call/last',
    summary: 'Tells of the newest request of your tokens from outside; null when there was none.',
    access: 'user',
    answer: lastCallView.nullable(),
  }),
}
