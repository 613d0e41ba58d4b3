import { generateKeyPairSync } from 'node:crypto'
import type { ChannelTypeName } from '../../../../shared/channel-types.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import { namedEvent } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { chunks, EVENT_STREAM } from './aws/bedrock.ts'

/**
 * A chat request to a channel type, and the vendor's response "Hello there". Without `says` the response is in OpenAI's
 * format.
 */
export type ChatRow = Readonly<{
  /** The upstream's name of the model; default `m`. */
  model?: string
  key?: string | ((url: string) => string)
  other?: string
  /** Appended to the address of the fake vendor. */
  base?: string
  /** The expected path and query, for a plain call and for a stream. */
  path: string | RegExp
  streamPath?: string | RegExp
  /** The expected authentication: headers, or `null` if it is in the path; default `Authorization: Bearer <key>`. */
  auth?: Readonly<Record<string, string | RegExp>> | null
  says?: (request: Recorded, stream: boolean) => Script
}>

const SAID = { texts: ['Hello', ' there'] }
const KEY_PARTS = 'one|two|three'
const openai: ChatRow = { path: '/v1/chat/completions' }

/** Lines of JSON, for vendors that stream without server-sent events. */
const lines = (...items: readonly object[]): Script => ({
  headers: { 'content-type': 'application/stream+json' },
  events: items.map((item) => Buffer.from(`${JSON.stringify(item)}\n`)),
})

/** A complete response, or a stream with one piece of text at a time. */
const either =
  (whole: object, events: Script) =>
  (_: Recorded, stream: boolean): Script =>
    stream ? events : { body: whole }

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const zhipuMeta = { request_id: 'r', task_id: 't', task_status: 'SUCCESS', usage: { total_tokens: 5 } }
const tencentSaid = (fields: object) => ({ Choices: [{ FinishReason: 'stop', ...fields }] })
const cohereMeta = { meta: { billed_units: { input_tokens: 1, output_tokens: 2 } } }
const cozeChat = { id: 'chat-1', conversation_id: 'conversation-1' }

/** Every chat type except iFlytek's, which uses a socket (docs/reference/channel-types.md#types). */
export const chatRows: Readonly<Partial<Record<ChannelTypeName, ChatRow>>> = {
  openai,
  azure: {
    model: 'gpt-4o',
    path: '/openai/deployments/gpt-4o/chat/completions?api-version=2025-04-01-preview',
    auth: { 'api-key': 'upstream-key' },
  },
  ollama: openai,
  'openai-max': openai,
  ohmygpt: openai,
  custom: { base: '/any/{model}/run', model: 'm/1', path: '/any/m%2F1/run' },
  ails: openai,
  aiproxy: openai,
  palm: {
    path: '/v1beta2/models/m:generateMessage',
    auth: { 'x-goog-api-key': 'upstream-key' },
    says: () => ({ body: { candidates: [{ author: '1', content: 'Hello there' }] } }),
  },
  api2gpt: openai,
  aigc2d: openai,
  anthropic: {
    path: '/v1/messages',
    auth: { 'x-api-key': 'upstream-key', 'anthropic-version': '2023-06-01' },
    says: either(messageAnswer(SAID), { events: messageStream(SAID) }),
  },
  baidu: {
    key: 'one|two',
    path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/m?access_token=pass',
    auth: null,
    says: ({ path }, stream) => {
      if (path.startsWith('/oauth/')) return { body: { access_token: 'pass', expires_in: 9999 } }
      const events = [
        { result: 'Hello', is_end: false },
        { result: ' there', is_end: true },
      ]
      return stream ? { events } : { body: { result: 'Hello there' } }
    },
  },
  zhipu: {
    key: 'id.secret',
    path: '/api/paas/v3/model-api/m/invoke',
    streamPath: '/api/paas/v3/model-api/m/sse-invoke',
    auth: { authorization: /^[\w-]+\.[\w-]+\.[\w-]+$/ },
    says: either(
      {
        code: 200,
        success: true,
        data: { ...zhipuMeta, choices: [{ role: 'assistant', content: '"Hello there"' }] },
      },
      {
        events: [
          Buffer.from('id: 1\nevent: add\ndata: Hello\n\n'),
          Buffer.from('id: 1\nevent: add\ndata:  there\n\n'),
          Buffer.from(`id: 1\nevent: finish\ndata: \nmeta: ${JSON.stringify(zhipuMeta)}\n\n`),
        ],
      },
    ),
  },
  ali: { path: '/compatible-mode/v1/chat/completions' },
  zhinao: openai,
  openrouter: {
    path: '/v1/chat/completions',
    auth: { authorization: 'Bearer upstream-key', 'http-referer': /./, 'x-title': /./ },
  },
  'aiproxy-library': {
    other: 'lib',
    path: '/api/library/ask',
    says: either(
      { success: true, answer: 'Hello there' },
      { events: [{ content: 'Hello' }, { content: ' there', finish: true }] },
    ),
  },
  fastgpt: { key: 'api-key-app', path: '/v1/chat/completions', auth: { authorization: 'Bearer api-key-app' } },
  tencent: {
    key: KEY_PARTS,
    path: '/',
    auth: { authorization: /^TC3-HMAC-SHA256 Credential=two\//, 'x-tc-action': 'ChatCompletions' },
    says: either(
      { Response: tencentSaid({ Message: { Role: 'assistant', Content: 'Hello there' } }) },
      {
        events: [
          tencentSaid({ Delta: { Content: 'Hello' }, FinishReason: '' }),
          tencentSaid({ Delta: { Content: ' there' } }),
        ],
      },
    ),
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    auth: { 'x-goog-api-key': 'upstream-key' },
    says: either(geminiAnswer(SAID), { events: geminiStream(SAID) }),
  },
  moonshot: openai,
  'zhipu-v4': { path: '/api/paas/v4/chat/completions' },
  perplexity: { path: '/chat/completions' },
  lingyiwanwu: openai,
  aws: {
    model: 'claude-3-haiku-20240307',
    key: 'one|two|eu-west-1',
    path: /^\/model\/[^/]*claude-3-haiku-20240307[^/]*\/invoke$/,
    streamPath: /^\/model\/[^/]*claude-3-haiku-20240307[^/]*\/invoke-with-response-stream$/,
    auth: { authorization: /^AWS4-HMAC-SHA256 Credential=one\/\d{8}\/eu-west-1\/bedrock\/aws4_request/ },
    says: either(messageAnswer(SAID), { headers: EVENT_STREAM, events: chunks(messageStream(SAID)) }),
  },
  cohere: {
    path: '/v1/chat',
    says: either(
      { text: 'Hello there', finish_reason: 'COMPLETE', ...cohereMeta },
      lines(
        { event_type: 'text-generation', text: 'Hello', is_finished: false },
        { event_type: 'text-generation', text: ' there', is_finished: false },
        { event_type: 'stream-end', is_finished: true, finish_reason: 'COMPLETE', response: cohereMeta },
      ),
    ),
  },
  minimax: { path: '/v1/text/chatcompletion_v2' },
  dify: {
    path: '/v1/chat-messages',
    says: either(
      { event: 'message', answer: 'Hello there', metadata: {} },
      {
        events: [
          { event: 'message', answer: 'Hello' },
          { event: 'message', answer: ' there' },
          { event: 'message_end', metadata: {} },
        ],
      },
    ),
  },
  cloudflare: { other: 'account', path: '/client/v4/accounts/account/ai/v1/chat/completions' },
  siliconflow: openai,
  vertex: {
    model: 'gemini-2.5-pro',
    other: 'us-central1',
    key: (url) =>
      JSON.stringify({
        type: 'service_account',
        project_id: 'project',
        private_key_id: 'key',
        private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        client_email: 'a@project',
        token_uri: `${url}/token`,
      }),
    path: '/v1/projects/project/locations/us-central1/publishers/google/models/gemini-2.5-pro:generateContent',
    streamPath:
      '/v1/projects/project/locations/us-central1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    auth: { authorization: 'Bearer pass' },
    says: ({ path }, stream) => {
      if (path === '/token') return { body: { access_token: 'pass', expires_in: 3599, token_type: 'Bearer' } }
      return stream ? { events: geminiStream(SAID) } : { body: geminiAnswer(SAID) }
    },
  },
  mistral: openai,
  deepseek: openai,
  volcengine: { path: '/api/v3/chat/completions' },
  'baidu-v2': { path: '/v2/chat/completions' },
  xinference: openai,
  xai: openai,
  coze: {
    other: 'bot-1',
    path: '/v3/chat',
    says: ({ path }, stream) => {
      if (path.startsWith('/v3/chat/retrieve')) return { body: { code: 0, data: { ...cozeChat, status: 'completed' } } }
      if (path.startsWith('/v3/chat/message/list'))
        return { body: { code: 0, data: [{ role: 'assistant', type: 'answer', content: 'Hello there' }] } }
      if (!stream) return { body: { code: 0, data: { ...cozeChat, status: 'in_progress' } } }
      const delta = (content: string) =>
        namedEvent('conversation.message.delta', { ...cozeChat, role: 'assistant', type: 'answer', content })
      const usage = { token_count: 3, output_count: 2, input_count: 1 }
      const events = [
        delta('Hello'),
        delta(' there'),
        namedEvent('conversation.chat.completed', { ...cozeChat, status: 'completed', usage }),
        Buffer.from('event: done\ndata: "[DONE]"\n\n'),
      ]
      return { events }
    },
  },
}

/** Types for embeddings and reranking only. */
export const embedRows: Readonly<Partial<Record<ChannelTypeName, string>>> = {
  jina: '/v1/embeddings',
  mokaai: '/embeddings',
}

/** Types without chat, only for images or music. */
export const mutes: readonly ChannelTypeName[] = ['midjourney', 'midjourney-plus', 'suno']
