import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'

const model = 'gpt-4o'
const input = 'Hi'
const messages = [{ role: 'user' as const, content: 'Hi' }]
let world: World
let apiKey: string
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { [model]: 1 }, CompletionRatio: {} } })
  // A vendor that supports only Chat, so every dialect is converted, and responses are stored by the gateway.
  await world.channel({ models: model, type: 43 })
  const alice = await world.user({ quota: 1_000_000_000 })
  apiKey = `sk-${await alice.key()}`
})

/** Endings of the gateway's address that users may enter. */
const endings = ['', '/', '/v1', '/v1/']

const quietly = { maxRetries: 0, logLevel: 'off' } as const

describe.each(endings)(
  'with “http://host:port%s” as base address (docs/reference/endpoints.md#other-paths)',
  (ending) => {
    const baseURL = () => world.url + ending

    it('OpenAI’s SDK chats, streams, uses Responses and lists models', async () => {
      const client = new OpenAI({ apiKey, baseURL: baseURL(), ...quietly })
      const answer = await client.chat.completions.create({ model, messages })
      expect(answer.choices[0]?.message.content).toBe('Hello there')
      const kept = await client.responses.create({ model, input })
      expect(kept.output_text).toBe('Hello there')
      expect((await client.responses.retrieve(kept.id)).output_text).toBe('Hello there')
      const conversation = await client.conversations.create({})
      expect((await client.conversations.retrieve(conversation.id)).id).toBe(conversation.id)
      expect((await client.models.list()).data.map(({ id }) => id)).toEqual([model])
      expect((await client.models.retrieve(model)).id).toBe(model)
      await expect(client.files.list()).rejects.toMatchObject({ status: 501, code: 'api_not_implemented' })
    })

    it('Anthropic’s SDK chats, counts and lists models', async () => {
      const client = new Anthropic({ apiKey, baseURL: baseURL(), ...quietly })
      const answer = await client.messages.create({ model, max_tokens: 100, messages })
      expect(answer.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
      expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeGreaterThan(0)
      expect((await client.models.list()).data.map(({ id }) => id)).toEqual([model])
    })

    it('Google’s SDK chats, counts and lists models', async () => {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL() } })
      expect((await client.models.generateContent({ model, contents: input })).text).toBe('Hello there')
      expect((await client.models.countTokens({ model, contents: input })).totalTokens).toBeGreaterThan(0)
      const names = []
      for await (const { name } of await client.models.list()) names.push(name)
      expect(names).toEqual([`models/${model}`])
    })

    it('the AI SDK’s providers chat', async () => {
      const place = { apiKey, baseURL: baseURL() }
      const models = [
        createOpenAI(place).chat(model),
        createOpenAI(place).responses(model),
        createAnthropic(place)(model),
        createGoogle(place)(model),
      ]
      for (const asked of models)
        expect((await generateText({ model: asked, prompt: input, maxRetries: 0 })).text).toBe('Hello there')
    })
  },
)
