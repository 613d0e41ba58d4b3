import { beforeAll, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { chatStream } from '../support/chat.ts'
import { leaveAt } from '../support/leaving-caller.ts'
import { namedEvent } from '../support/said.ts'
import type { StreamEvent } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Prompts that are longer than they look. The caller makes the model put the answer first, and leaves before the last
 * event, which reports the usage (docs/reference/billing.md#disconnected-callers).
 */
const WORDS = ['The answer is 42.', 'END', ...Array(30).fill(' filler')]
const TOKENS = 60_000
const LONG = 'The board of the company decided on the new plan for the year. '.repeat(4600)
const messages = [{ role: 'user', content: 'Sum it up, then END and filler.' }]
const CHAT = '/v1/chat/completions'

/** An image's beginning: its size, and as many bytes in front of the size as given. */
const imageUrl = (width: number, height: number, before = 0) => {
  const size = Buffer.from([0xff, 0xc0, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255])
  const segment = Buffer.concat([Buffer.from([0xff, 0xed, 0xff, 0xff]), Buffer.alloc(0xfffd, 1)])
  const segments = Array(Math.ceil(before / segment.length)).fill(segment)
  const bytes = Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, size, Buffer.alloc(2000, 7)])
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}
const seen = (url: string, detail?: string) => ({
  messages: [{ role: 'user', content: Array(10).fill({ type: 'image_url', image_url: { url, detail } }) }],
})

const chat = (prompt = TOKENS) => chatStream(WORDS, { prompt, completion: 60 })
const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)
const tokens = { input_tokens: TOKENS, output_tokens: 60 }
const cohere = [
  line({ is_finished: false, event_type: 'stream-start', generation_id: 'g' }),
  ...WORDS.map((text) => line({ is_finished: false, event_type: 'text-generation', text })),
  line({
    ...{ is_finished: true, event_type: 'stream-end', finish_reason: 'COMPLETE' },
    response: { response_id: 'r', text: WORDS.join(''), meta: { billed_units: tokens, tokens } },
  }),
]
const completion = (text: string, more: object = {}) => ({
  ...{ id: 'c', object: 'text_completion', created: 1, model: 'm' },
  choices: [{ index: 0, text, finish_reason: null }],
  ...more,
})
const completions = [
  ...WORDS.map((text) => completion(text)),
  completion('', { usage: { prompt_tokens: TOKENS, completion_tokens: 60, total_tokens: TOKENS + 60 } }),
]
const ids = { task_id: 't', message_id: 'm1', conversation_id: 'c', chat_id: 'chat-1' }
const usage = { prompt_tokens: TOKENS, completion_tokens: 60, total_tokens: TOKENS + 60 }
const dify = [
  ...WORDS.map((answer) => ({ event: 'message', ...ids, answer })),
  { event: 'message_end', ...ids, metadata: { usage } },
]
const cozeMessage = (content: string) => ({ id: 'm', ...ids, role: 'assistant', type: 'answer', content })
const coze = [
  ...WORDS.map((word) => namedEvent('conversation.message.delta', cozeMessage(word))),
  namedEvent('conversation.message.completed', cozeMessage(WORDS.join(''))),
  namedEvent('conversation.chat.completed', {
    ...{ id: 'chat-1', ...ids, bot_id: '7', status: 'completed' },
    usage: { token_count: TOKENS + 60, output_count: 60, input_count: TOKENS },
  }),
  Buffer.from('event:done\ndata:"[DONE]"\n\n'),
]

type Case = Readonly<{
  type?: keyof typeof channelTypes
  model: string
  path?: string
  body?: object
  events?: readonly StreamEvent[]
  channel?: object
}>
const overridden = { param_override: JSON.stringify({ enable_search: true }) }
const instructed = { setting: JSON.stringify({ system_prompt: LONG.slice(0, 40_000) }) }
const searching = { enable_search: true, search_options: { forced_search: true, search_strategy: 'agent' } }
const described = { type: 'json_schema', json_schema: { name: 'x', description: LONG, schema: { type: 'object' } } }
const grammar = { type: 'custom', custom: { name: 'x', format: { type: 'grammar', grammar: { definition: LONG } } } }
const online = { plugins: [{ id: 'web', max_results: 50 }] }
const cases: Readonly<Record<string, Case>> = {
  'a text in messages': { model: 'gpt-4.1', body: { messages: [{ role: 'user', content: LONG }] } },
  'the preamble of Cohere': { type: 'cohere', model: 'command-a', body: { preamble: LONG }, events: cohere },
  'documents of Cohere': {
    ...{ type: 'cohere', model: 'command-r', events: cohere },
    body: { documents: [{ title: 'Plan', snippet: LONG }] },
  },
  'a suffix': {
    ...{ type: 'deepseek', model: 'deepseek-v4-pro', path: '/v1/completions', events: completions },
    body: { prompt: '# The plan:', suffix: LONG, max_tokens: 400 },
  },
  'the description of a schema': { model: 'gpt-4.1-mini', body: { response_format: described } },
  'the grammar of a tool': { model: 'gpt-4o', body: { tools: [grammar] } },
  'the name of an author': { model: 'gpt-4o-mini', body: { messages: [{ ...messages[0], name: LONG }] } },
  'a prediction that is rejected': {
    model: 'gpt-4o-2024-08-06',
    body: { prediction: { type: 'content', content: 'Something else.' } },
  },
  'a member of the vendor': { type: 'zhipu-v4', model: 'charglm-4', body: { meta: { bot_info: LONG } } },
  'large images without a detail': { model: 'gpt-5.5', body: seen(imageUrl(3200, 3200)) },
  'large images in full detail': { model: 'gpt-5.4', body: seen(imageUrl(3200, 3200), 'original') },
  'larger images of a newer model': { model: 'gpt-5.6', body: seen(imageUrl(4800, 4800)) },
  'images whose size stands far behind': {
    model: 'gpt-4.1-nano',
    body: seen(imageUrl(9, 9, 130_000)),
    events: chat(37_820),
  },
  'images of another vendor': {
    ...{ type: 'ali', model: 'qwen-vl-max' },
    body: { ...seen(imageUrl(4096, 4096)), vl_high_resolution_images: true },
  },
  'a search of Alibaba': { type: 'ali', model: 'qwen3-max', body: searching },
  'a search of Baidu': { type: 'baidu-v2', model: 'ernie-5', body: { web_search: { enable: true } } },
  'a model of Baidu that searches': { type: 'baidu-v2', model: 'ernie-5-search' },
  'a search of OpenRouter': { type: 'openrouter', model: 'meta/llama-4', body: online },
  'a suffix of OpenRouter that searches': { type: 'openrouter', model: 'meta/llama-4:online' },
  'a search that the channel adds': { type: 'ali', model: 'qwen3-plus', channel: overridden },
  'instructions that the channel adds': { model: 'gpt-4o-2024-11-20', channel: instructed },
  'an app of Dify': { type: 'dify', model: 'dify-app', events: dify },
  'a bot of Coze': { type: 'coze', model: 'coze-bot', channel: { other: '7352' }, events: coze },
  'a bot of Volcengine': { type: 'volcengine', model: 'bot-1' },
}

let world: World
let mallory: Person
beforeAll(async () => {
  const one = Object.fromEntries(Object.values(cases).map(({ model }) => [model, 1]))
  world = await aWorld({ options: { ModelRatio: one, CompletionRatio: one, RetryTimes: 0 } })
  for (const { model, type = 'openai', channel } of Object.values(cases))
    await world.channel({ models: model, type: channelTypes[type].id, ...channel })
  mallory = await world.user({ quota: 1_000_000_000 })
})

/** Requests a stream and leaves once it contains `enough`; returns the text received. */
const left = (path: string, body: object, enough = '\0'): Promise<string> =>
  leaveAt(world, mallory, path, { stream: true, ...body }, (received) => received.includes(enough))

it.each(Object.entries(cases))('cost a caller that leaves no less than a third: %s', async (_, given) => {
  const { model, path = CHAT, body, events = chat() } = given
  const sent = { model, ...(path === CHAT ? { messages } : {}), ...body }
  world.upstream.streams(events, { gapMs: 15 })
  expect(await left(path, sent)).toContain('filler')
  const whole = await lastReceipt(world, mallory.id)
  expect(whole.prompt_tokens).toBeGreaterThan(30_000)
  expect(await left(path, sent, 'END')).toContain('42')
  await expect.poll(async () => (await lastReceipt(world, mallory.id)).id).not.toBe(whole.id)
  const { quota } = await lastReceipt(world, mallory.id)
  expect(quota).toBeGreaterThan(whole.quota / 3)
})
