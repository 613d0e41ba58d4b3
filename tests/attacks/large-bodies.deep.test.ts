import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { saidAnswer } from '../support/chat-said.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { watchTurns } from '../support/turns.ts'
import type { Recorded } from '../support/upstream.ts'
import { aWorld, type World } from '../support/world.ts'

/** A text whose JSON takes twice its bytes; five of them nearly fill a body. */
const quotes = '"'.repeat(11_900_000)
const texts = [quotes, quotes, quotes, quotes, quotes]
const user = (content: string) => ({ role: 'user', content })
const many = texts.map(user)
const said = [{ parts: texts.map((text) => ({ text })) }]
/**
 * The longest turn, as a multiple of that for a call passed on unchanged. Both include reading, sending and the test's
 * own client and vendor.
 */
const MAX_PLAIN_TURNS = 2.5

let world: World
let key = ''
let plainMs = 0

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  const { openai, anthropic, gemini, vertex } = channelTypes
  await world.channel({ models: 'gpt-4o,gpt-5', type: openai.id })
  await world.channel({ models: 'prompted', type: openai.id, setting: JSON.stringify({ system_prompt: 'Be brief.' }) })
  const setting = JSON.stringify({ structured_output: 'prompt' })
  await world.channel({ models: 'told', type: openai.id, setting })
  await world.channel({ models: 'claude', type: anthropic.id })
  await world.channel({ models: 'gemini', type: gemini.id })
  const passes = JSON.stringify({ vertex_key_type: 'api_key' })
  await world.channel({ models: 'gemini-2.5-pro', type: vertex.id, setting: passes, other: 'global' })
  key = await (await world.user({ quota: 1_000_000_000 })).key()
  await longestTurn('/v1/chat/completions', { model: 'gpt-4o', messages: many })
  plainMs = await longestTurn('/v1/chat/completions', { model: 'gpt-4o', messages: many })
})
beforeEach(() => world.upstream.reset())

describe('a large body that is edited delays no other request (docs/reference/security.md#input)', () => {
  it.each([
    [
      'the role of a message',
      '/v1/chat/completions',
      { model: 'gpt-5', messages: [{ role: 'system', content: 'x' }, ...many] },
    ],
    ['a channel’s own instructions', '/v1/chat/completions', { model: 'prompted', messages: many }],
    [
      'instructions that ask for JSON',
      '/v1/chat/completions',
      {
        model: 'told',
        messages: many,
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
      },
    ],
    [
      'thoughts that another vendor has sealed',
      '/v1/messages',
      { model: 'claude', max_tokens: 9, messages: [...many, user('switchyard:')] },
    ],
    ['a request that is counted', '/v1beta/models/gemini:countTokens', { generateContentRequest: { contents: said } }],
    ['contents for Vertex', '/v1beta/models/gemini-2.5-pro:generateContent', { contents: said }],
    ['texts that are embedded by another dialect', '/v1/embeddings', { model: 'gemini', input: texts }],
  ])('%s', async (_, path, body) => {
    // Repeated: a collection of garbage, or another process, may fall into one measurement.
    await expect.poll(async () => (await longestTurn(path, body)) / plainMs).toBeLessThan(MAX_PLAIN_TURNS)
  })
})

/** The CPU time of the longest turn of this thread's event loop while a request is handled, in milliseconds. */
async function longestTurn(path: string, body: object): Promise<number> {
  world.upstream.answers(({ path: asked }: Recorded) => {
    if (asked.includes('mbed')) return { body: { embeddings: texts.map(() => ({ values: [1] })) } }
    if (asked.includes('/messages')) return { body: messageAnswer({ texts: ['{}'] }) }
    if (asked.includes('countTokens')) return { body: { totalTokens: 9 } }
    return { body: asked.includes('models/') ? geminiAnswer({ texts: ['{}'] }) : saidAnswer({ texts: ['{}'] }, {}) }
  })
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  const longest = watchTurns()
  const answer = await fetch(world.url + path, { method: 'POST', headers, body: bytes })
  const text = await answer.text()
  expect(answer.status, text.slice(0, 300)).toBe(200)
  return longest()
}
