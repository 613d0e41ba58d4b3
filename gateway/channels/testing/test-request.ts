import type { TestKind } from '../../../shared/api/channel-runs.ts'
import { channelTypes } from '../../../shared/channel-types.ts'
import { modelKind } from '../../../shared/model-kind.ts'
import type { ProbeCall, ProbeEndpoint } from './probe.ts'

const PLAIN_SECONDS = 30
const REASONING_SECONDS = 60
/** Token limits of a tool call, without and with reasoning. */
const TOOL_TOKENS = 200
const REASONING_TOOL_TOKENS = 1000

const reasoningModel = /^(o\d|gpt-[5-9])|thinking|reason|deepseek-r1|qwq/

/**
 * The smallest request that tests whether a model responds (docs/reference/channels.md#tests); undefined for models of
 * the kind `none`. `model` is the upstream's name. Reasoning models get 60 seconds, others 30.
 */
export function testRequest(channelType: number, model: string): ProbeCall | undefined {
  const kind = testKindOf(channelType, model)
  return kind === 'none' ? undefined : plainRequest(kind, model)
}

export function plainRequest(kind: ProbeEndpoint, model: string): ProbeCall {
  const name = model.toLowerCase()
  const timeoutMs = 1000 * (reasoningModel.test(name) ? REASONING_SECONDS : PLAIN_SECONDS)
  return { endpoint: kind, model, body: { model, ...bodies[kind](name) }, timeoutMs }
}

/** Converts a plain request to a stream; undefined if the kind has none. */
export function streamRequest(plain: ProbeCall): ProbeCall | undefined {
  const { endpoint, body } = plain
  if (endpoint !== 'chat' && endpoint !== 'completions' && endpoint !== 'responses') return undefined
  return { ...plain, body: { ...body, stream: true }, isStream: true }
}

export function toolRequest(plain: ProbeCall): ProbeCall | undefined {
  const { endpoint, model } = plain
  const name = model.toLowerCase()
  const tokens = reasoningModel.test(name) ? REASONING_TOOL_TOKENS : TOOL_TOKENS
  if (endpoint === 'responses') {
    const tools = [{ type: 'function', ...clock }]
    return { ...plain, body: { model, input: TOOL_QUESTION, tools, max_output_tokens: tokens } }
  }
  if (endpoint !== 'chat') return undefined
  const messages = [{ role: 'user', content: TOOL_QUESTION }]
  const tools = [{ type: 'function', function: clock }]
  const limit = completionLimited.test(name) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
  return { ...plain, body: { model, messages, stream: false, tools, ...limit } }
}

const TOOL_QUESTION = 'What time is it in Paris? Use the tool.'
const clock = {
  name: 'current_time',
  description: 'Tells the current time in a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

/** Max output tokens of a Responses test: the minimum that the API accepts. */
const MIN_OUTPUT = 16
const completionLimited = /^(o\d|gpt-[5-9])/

/** The body of each kind, without the model; takes the model name in lower case. */
const bodies: Readonly<Record<ProbeEndpoint, (name: string) => Record<string, unknown>>> = {
  chat: (name) => ({ messages: [{ role: 'user', content: 'hi' }], stream: false, ...chatLimit(name) }),
  completions: () => ({ prompt: 'hi', max_tokens: 10 }),
  responses: () => ({ input: 'hi', max_output_tokens: MIN_OUTPUT }),
  embeddings: () => ({ input: ['hello world'] }),
  rerank: () => ({ query: 'hi', documents: ['hello world', 'goodbye'], top_n: 2 }),
  images: () => ({ prompt: 'a cute cat', n: 1, size: '1024x1024' }),
}

function chatLimit(name: string): Record<string, number> {
  if (completionLimited.test(name)) return { max_completion_tokens: 10 }
  if (name.includes('thinking')) return name.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: name.includes('gemini') ? 300 : 10 }
}

/**
 * The kind of test for a model, by the upstream's name (docs/reference/channels.md#tests). `none` for models no short
 * request can test: audio, video, music, moderation and the like.
 */
export const testKindOf = (channelType: number, model: string): TestKind =>
  channelType === channelTypes.mokaai.id ? 'embeddings' : modelKind(model)
