import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { generateObject, jsonSchema, type LanguageModel, streamObject } from 'ai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { aiSdks } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic-sdk.ts'
import { CITY } from './conversation.ts'
import { createVendors } from './gateway.ts'
import { googleGenai } from './google-sdk.ts'
import { openaiChat, openaiResponses } from './openai-sdk.ts'
import { citySchema, type Sdk } from './question.ts'

/** The channels of models that do not support JSON schemas natively, or not together with tools. */
const channels = {
  'claude-3-7-sonnet-20250219': { type: 14, key: 'anthropic-key' },
  'deepseek-chat': { type: 43, key: 'compatible-key' },
  'deepseek-v4-pro': { type: 43, key: 'compatible-key' },
  'qwen3-32b': { type: 40, key: 'compatible-key' },
  'gemini-2.5-flash': { type: 24, key: 'gemini-key' },
  'gpt-4.1': { type: 1, key: 'openai-key', setting: '{"structured_output":"tool"}' },
} as const
const models = Object.keys(channels) as (keyof typeof channels)[] // the keys of a constant

let world: World
let key: string
let sdks: Map<string, Sdk>
const names = [
  'openai, chat',
  'openai, responses',
  'anthropic',
  'genai',
  'ai, openai chat',
  'ai, openai responses',
  'ai, anthropic',
  'ai, google',
]
const cells = names.flatMap((name) => models.map((model) => [name, model] as const))
const both = [false, true]

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) } })
  for (const model of models) await world.channel({ models: model, ...channels[model] })
  const alice = await world.user({ quota: 1_000_000_000_000 })
  key = await alice.key()
  const place = { url: world.url, key }
  const all = [openaiChat(place), openaiResponses(place), anthropicMessages(place), googleGenai(place)]
  sdks = new Map([...all, ...aiSdks(place)].map((sdk) => [sdk.name, sdk]))
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(createVendors())
})

const sdkOf = (name: string): Sdk => sdks.get(name) ?? expect.fail(`no SDK ${name}`)

describe.each(cells)('%s before %s (docs/reference/conversion.md#structured-output)', (name, model) => {
  it.each(both)('gets an answer that follows its schema, streamed: %s', async (stream) => {
    const { text } = await sdkOf(name).ask({ model, text: 'Which city?', json: true, stream })
    expect(JSON.parse(text)).toEqual(CITY)
  })
})

/**
 * Pairs of SDK and model for which a tool call replaces the response: the vendor's dialect is another, or the client is
 * a Chat client.
 */
const forced = [
  ['ai, openai chat', 'claude-3-7-sonnet-20250219'],
  ['ai, openai chat', 'deepseek-chat'],
  ['ai, openai chat', 'gemini-2.5-flash'],
  ['ai, openai chat', 'gpt-4.1'],
  ['ai, openai responses', 'claude-3-7-sonnet-20250219'],
  ['ai, openai responses', 'deepseek-chat'],
  ['ai, openai responses', 'gemini-2.5-flash'],
  ['ai, google', 'claude-3-7-sonnet-20250219'],
  ['ai, google', 'deepseek-chat'],
] as const

describe.each(forced)('%s before %s', (name, model) => {
  it.each(both)('gets its answer after its tools have answered, streamed: %s', async (stream) => {
    const { text } = await sdkOf(name).ask({ model, text: 'Which city?', json: true, tools: true, stream })
    expect(JSON.parse(text)).toEqual(CITY)
    expect(world.upstream.requests).toHaveLength(2)
  })
})

describe.each(models)('generateObject and streamObject before %s', (model) => {
  const apiKey = () => `sk-${key}`
  const providers: readonly (readonly [string, () => LanguageModel])[] = [
    ['openai.chat', () => createOpenAI({ apiKey: apiKey(), baseURL: `${world.url}/v1` }).chat(model)],
    ['openai.responses', () => createOpenAI({ apiKey: apiKey(), baseURL: `${world.url}/v1` }).responses(model)],
    ['anthropic', () => createAnthropic({ apiKey: apiKey(), baseURL: `${world.url}/v1` })(model)],
    ['google', () => createGoogle({ apiKey: apiKey(), baseURL: `${world.url}/v1beta` })(model)],
  ]

  it.each(providers)('%s', async (_, modelOf) => {
    const asked = { model: modelOf(), schema: jsonSchema<typeof CITY>({ ...citySchema }), prompt: 'Which city?' }
    const { object, finishReason } = await generateObject({ ...asked, maxRetries: 0 })
    expect([object, finishReason]).toEqual([CITY, 'stop'])
    const streamed = streamObject({ ...asked, maxRetries: 0, onError: () => {} })
    for await (const part of streamed.fullStream) if (part.type === 'error') throw part.error
    expect([await streamed.object, await streamed.finishReason]).toEqual([CITY, 'stop'])
  })
})
