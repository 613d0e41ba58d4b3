import { z } from 'zod'
import { call } from './call.ts'

/** How much of a body is stored (docs/reference/bodies.md#contents). */
const bodyStates = ['whole', 'cut', 'not_text', 'too_large', 'busy'] as const

const storedBody = z
  .object({
    state: z.enum(bodyStates).describe('Whether the body is complete, only its beginning, or missing, and why.'),
    text: z.string(),
  })
  .meta({ id: 'KeptBody' })

const storedCall = z
  .object({
    request_id: z.string(),
    user_id: z.int(),
    created_at: z.int(),
    expires_at: z.int(),
    model: z.string(),
    path: z.string(),
    is_stream: z.boolean(),
    status: z.int().describe('499 if the client left before there was a response.'),
    duration_ms: z.int(),
    request: storedBody,
    answer: storedBody,
    can_replay: z.boolean(),
  })
  .meta({ id: 'KeptCall' })
export type KeptCallView = z.output<typeof storedCall>

const replayed = z
  .object({
    request_id: z.string(),
    channel_id: z.int(),
    status: z.int(),
    duration_ms: z.int(),
    answer: storedBody,
    prompt_tokens: z.int().nullable().describe('Null if the usage log has no row for the request.'),
    completion_tokens: z.int().nullable(),
    quota: z.int().nullable(),
  })
  .meta({ id: 'ReplayedCall' })
export type ReplayedCall = z.output<typeof replayed>

const report = z.object({ calls: z.int(), bytes: z.int() }).meta({ id: 'KeptBodiesReport' })

const params = z.object({ request_id: z.string().max(100) })

/** Bodies of calls stored on demand (docs/reference/bodies.md). */
export const keptBodies = {
  report: call({
    method: 'GET',
    path: '/api/bodies',
    summary: 'Returns the number of requests with stored bodies, and their size.',
    access: 'admin',
    answer: report,
  }),
  removeAll: call({
    method: 'DELETE',
    path: '/api/bodies',
    summary: 'Deletes all stored bodies, and returns the number of requests that had any.',
    access: 'admin',
    answer: z.int(),
  }),
  read: call({
    method: 'GET',
    path: '/api/bodies/:request_id',
    summary: 'Returns the stored bodies of one request; every view is recorded in the usage log.',
    access: 'user',
    onDemo: 'closed',
    params,
    answer: storedCall,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/bodies/:request_id',
    summary: 'Deletes the stored bodies of one request.',
    access: 'user',
    params,
    answer: z.null(),
  }),
  replay: call({
    method: 'POST',
    path: '/api/bodies/:request_id/replay',
    summary: 'Sends the stored request again over one channel, charged to the caller, and returns the result.',
    access: 'admin',
    isInPerson: true,
    params,
    body: z.object({ channel_id: z.int().positive() }),
    answer: replayed,
  }),
}
