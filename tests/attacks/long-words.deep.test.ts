import { beforeAll, expect, it } from 'vitest'
import { messageAnswer } from '../support/anthropic.ts'
import { chatAnswer } from '../support/chat.ts'
import { watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Ids, names and types are converted character by character only if they are short (docs/reference/security.md#input).
 * The longest turn of the event loop as a multiple of the time to parse the body; before, they took a hundred to a
 * thousand times as long. It includes the test's own client and vendor.
 */
const MAX_PARSES = 40
const LENGTH = 6 * 1024 * 1024

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { claude: 1, gemini: 1, chat: 1 }, RetryTimes: 0 } })
  await world.channel({ type: 14, models: 'claude' })
  await world.channel({ type: 24, models: 'gemini' })
  await world.channel({ models: 'chat' })
  mallory = await world.user({ quota: 1_000_000_000 })
  world.upstream.answers(({ path }) => ({
    body: path.includes('/messages') ? messageAnswer({ texts: ['ok'] }) : chatAnswer('ok'),
  }))
  await mallory.asks('chat', 'hi')
})

const hi = { role: 'user', content: 'hi' }
const chat = (model: string, more: object) => ['/v1/chat/completions', { model, messages: [hi], ...more }] as const
const tool = (function_: object) => ({ tools: [{ type: 'function', function: function_ }] })
const image = (url: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
})
const parts = (part: object) =>
  ['/v1beta/models/chat:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }, part] }] }] as const
const long = (text: string) => text.repeat(LENGTH / text.length)
const reference = { type: 'object', properties: { a: { $ref: `#/${long('/')}` } } }
const call = { id: long('!'), type: 'function', function: { name: 'f', arguments: '{}' } }
const thinking = { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: long(':') }] }

const cases: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'the head of a data URL': chat('gemini', image(`data:${long(';')},x`)),
  'base64 of another alphabet': chat('gemini', image(`data:image/png;base64,${long('-')}`)),
  'the id of a tool call': chat('claude', { messages: [hi, { role: 'assistant', tool_calls: [call] }] }),
  'the name of a tool': chat('claude', tool({ name: long('!'), parameters: {} })),
  'a reference in a schema': chat('gemini', tool({ name: 'f', parameters: reference })),
  'a media type': parts({ inlineData: { mimeType: long('/'), data: 'AAAA' } }),
  'a member of a part': parts({ [long('a_')]: 1 }),
  'a signature': ['/v1/messages', { model: 'chat', max_tokens: 9, messages: [hi, thinking] }],
  'images in a text': chat('gemini', {
    messages: [hi, { role: 'assistant', content: long('![a](data:image/png;base64,') }],
  }),
  'the name of a file': [
    '/v1/responses',
    {
      model: 'chat',
      input: [{ role: 'user', content: [{ type: 'input_file', filename: long('.'), file_data: 'AAAA' }] }],
    },
  ],
}

it.each(Object.entries(cases))('%s of six million characters delays no other caller', async (_, [path, body]) => {
  const text = JSON.stringify(body)
  const began = performance.now()
  JSON.parse(text)
  const parse = performance.now() - began
  const longestTurn = async () => {
    const longest = watchTurns()
    await mallory.calls(path, text)
    return longest()
  }
  // Repeated: a collection of garbage may fall into one measurement.
  await expect.poll(async () => (await longestTurn()) / parse).toBeLessThan(MAX_PARSES)
})
