import type { ApiCall } from '../../shared/api/call.ts'
import { channel } from '../../shared/api/channel.ts'
import { channelMany } from '../../shared/api/channel-many.ts'
import { channelRuns } from '../../shared/api/channel-runs.ts'
import { firstCall } from '../../shared/api/first-call.ts'
import { ledger } from '../../shared/api/ledger.ts'
import { log } from '../../shared/api/log.ts'
import { model } from '../../shared/api/model.ts'
import { option } from '../../shared/api/option.ts'
import { routing } from '../../shared/api/routing.ts'
import { setup } from '../../shared/api/setup.ts'
import { status } from '../../shared/api/status.ts'
import { ticket } from '../../shared/api/ticket.ts'
import { token } from '../../shared/api/token.ts'
import { user } from '../../shared/api/user.ts'

const areas = [
  channel,
  channelRuns,
  channelMany,
  firstCall,
  ledger,
  log,
  model,
  option,
  routing,
  setup,
  status,
  ticket,
  token,
  user,
]
/** Calls that end the session or the account used by all others. */
const ending = ['/api/user/logout', '/api/option', '/api/option/rest_model_ratio']

/** Every call of the console's API that a run survives. */
export const consoleCalls: readonly ApiCall[] = areas
  .flatMap((area): readonly ApiCall[] => Object.values(area))
  .filter(({ path }) => !ending.includes(path))

/** A relayed route, with a valid body; a text is sent unchanged, and `form` marks a form. */
export type RelayRoute = Readonly<{ method: string; path: string; body?: unknown; form?: true }>

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
]
const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
const chat = { model: 'gpt-4o', messages, tools, max_tokens: 16, temperature: 1, stream: false }
const spoken = { model: 'claude', max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }], stream: true }
const generate = { contents, generationConfig: { maxOutputTokens: 16 } }

const post = (path: string, body: unknown): RelayRoute => ({ method: 'POST', path, body })
const get = (path: string): RelayRoute => ({ method: 'GET', path })

/** Every relayed route, and the paths served next to them (docs/reference/endpoints.md#relayed-paths). */
export const relayRoutes: readonly RelayRoute[] = [
  post('/v1/chat/completions', chat),
  post('/v1/chat/completions', { ...chat, stream: true, stream_options: { include_usage: true } }),
  post('/pg/chat/completions', { ...chat, group: 'default' }),
  post('/v1/responses', { model: 'gpt-4o', input: 'Hello', stream: true, max_output_tokens: 16 }),
  post('/v1/responses', {
    model: 'gpt-4o',
    input: [{ role: 'user', content: 'Hello' }],
    previous_response_id: 'resp_1',
  }),
  post('/v1/responses/input_tokens', { model: 'gpt-4o', input: 'Hello' }),
  post('/v1/responses/resp_1/cancel', {}),
  post('/v1/messages', spoken),
  post('/v1/messages/count_tokens', spoken),
  post('/v1/completions', { model: 'gpt-4o', prompt: ['Hello'], n: 1, max_tokens: 16 }),
  post('/v1/edits', { model: 'gpt-4o', input: 'Helo', instruction: 'spell' }),
  post('/v1/embeddings', { model: 'gpt-4o', input: ['Hello', [1, 2]], encoding_format: 'base64', dimensions: 3 }),
  post('/v1/engines/gpt-4o/embeddings', { input: 'Hello' }),
  post('/v1/moderations', { input: 'Hello' }),
  post('/v1/images/generations', { model: 'gpt-4o', prompt: 'a cat', n: 1, size: '256x256' }),
  { method: 'POST', path: '/v1/images/edits', body: { model: 'gpt-4o', prompt: 'a cat', image: 'PNG' }, form: true },
  post('/v1/audio/speech', { model: 'gpt-4o', input: 'Hello', voice: 'alloy' }),
  { method: 'POST', path: '/v1/audio/transcriptions', body: { model: 'gpt-4o', file: 'RIFF' }, form: true },
  { method: 'POST', path: '/v1/audio/translations', body: { model: 'gpt-4o', file: 'RIFF' }, form: true },
  post('/v1/rerank', { model: 'gpt-4o', query: 'Hello', documents: ['a', 'b'], top_n: 1 }),
  post('/v1beta/models/gpt-4o:generateContent', generate),
  post('/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', generate),
  post('/v1beta/models/gpt-4o:countTokens', { ...generate, generateContentRequest: generate }),
  post('/v1beta/models/gpt-4o:embedContent', { content: { parts: [{ text: 'Hello' }] } }),
  post('/v1beta/models/gpt-4o:batchEmbedContents', { requests: [{ content: { parts: [{ text: 'Hello' }] } }] }),
  get('/v1/models'),
  get('/v1/models/gpt-4o'),
  get('/v1beta/models'),
  get('/v1beta/openai/models'),
  get('/v1/responses/resp_1'),
  get('/v1/responses/resp_1/input_items?limit=2&order=asc'),
  { method: 'DELETE', path: '/v1/responses/resp_1' },
  get('/dashboard/billing/subscription'),
  get('/v1/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01'),
  get('/v1/files'),
  get('/v1/nowhere'),
]

/** Paths of the console's files, and paths that do not exist. */
export const pages: readonly string[] = [
  '/',
  '/login',
  '/register',
  '/user/reset?email=a&token=b',
  '/assets/none.js',
  '/api',
  '/api/',
  '/api/nothing',
  '/mj/x',
  '*',
  '//',
  '/%',
]
