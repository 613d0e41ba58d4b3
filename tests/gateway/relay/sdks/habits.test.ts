import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { World } from '../../../support/world.ts'
import { aHouse, createVendors, families, familyNames } from './gateway.ts'
import { citySchema } from './question.ts'

let world: World
let apiKey: string

beforeAll(async () => {
  const house = await aHouse()
  world = house.world
  apiKey = `sk-${await house.alice.key()}`
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(createVendors())
})

const openai = () => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 })
const anthropic = (more: object = {}) => new Anthropic({ apiKey, baseURL: world.url, maxRetries: 0, ...more })
const messages = [{ role: 'user' as const, content: 'hi' }]

describe.each(familyNames)('other uses of the SDKs, before a channel of %s', (family) => {
  const { model } = families[family]

  it('openai: continues a response by its id', async () => {
    const { responses } = openai()
    const first = await responses.create({ model, input: 'One.' })
    const second = await responses.create({ model, input: 'Two.', previous_response_id: first.id })
    expect([first.output_text, second.output_text]).toEqual(['You said: One.', 'You said: Two.'])
    expect(second.previous_response_id).toBe(family === 'openai' ? undefined : first.id)
  })

  it('openai: parses an answer by its schema', async () => {
    const json_schema = { name: 'city', strict: true, schema: { ...citySchema } }
    const { choices } = await openai().chat.completions.parse({
      model,
      messages,
      response_format: { type: 'json_schema', json_schema },
    })
    expect(choices[0]?.message.parsed).toEqual({ city: 'Paris', inhabitants: 2_100_000 })
  })

  it('anthropic: uses the beta interface, and with a token instead of a key', async () => {
    const ask = { model, max_tokens: 100, messages }
    const beta = await anthropic().beta.messages.create({ ...ask, betas: ['interleaved-thinking-2025-05-14'] })
    const token = await anthropic({ apiKey: null, authToken: apiKey }).messages.create(ask)
    for (const { content } of [beta, token]) expect(content).toMatchObject([{ type: 'text', text: 'You said: hi' }])
  })

  it('anthropic and genai: count tokens', async () => {
    expect((await anthropic().messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
    const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: world.url } })
    expect((await models.countTokens({ model, contents: 'hi' })).totalTokens).toBeGreaterThan(0)
  })

  it('genai: chats', async () => {
    const chat = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: world.url } }).chats.create({ model })
    expect((await chat.sendMessage({ message: 'One.' })).text).toBe('You said: One.')
    let said = ''
    for await (const { text } of await chat.sendMessageStream({ message: 'Two.' })) said += text ?? ''
    expect(said).toBe('You said: Two.')
    expect(JSON.stringify(world.upstream.last().json)).toContain('You said: One.')
  })
})
