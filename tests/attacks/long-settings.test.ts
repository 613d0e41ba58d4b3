import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageAnswer, messageStream } from '../support/anthropic.ts'
import { chatAnswer } from '../support/chat.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** Long members of a request are neither repeated nor converted at once (docs/reference/security.md#input). */
const MIB = 1024 * 1024

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { claude: 1, 'gpt-4o': 1 }, RetryTimes: 0 } })
  await world.channel({ type: 14, models: 'claude' })
  await world.channel({ models: 'gpt-4o' })
  mallory = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

describe('a converted Responses request', () => {
  const request = {
    model: 'claude',
    input: 'hi',
    instructions: 'Be brief.',
    temperature: 0.5,
    metadata: { topic: 'x'.repeat(MIB) },
  }

  it('has its long settings repeated in no event', async () => {
    world.upstream.answers({ events: messageStream({ texts: ['ok'] }) })
    const { events, text } = await mallory.calls('/v1/responses', { ...request, stream: true })
    const repeated = { instructions: 'Be brief.', temperature: 0.5, metadata: {} }
    expect(events[0]).toMatchObject({ type: 'response.created', response: repeated })
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: repeated })
    expect(text.length).toBeLessThan(MIB / 10)
  })

  it('has them repeated in no whole response, but all that are as long as those of agents', async () => {
    const tools = [{ type: 'function', name: 'f', description: 'd'.repeat(MIB / 8), parameters: {} }]
    world.upstream.answers({ body: messageAnswer({ texts: ['ok'] }) })
    const { json, text } = await mallory.calls('/v1/responses', { ...request, tools })
    expect(json).toMatchObject({ instructions: 'Be brief.', metadata: {}, tools })
    expect(text.length).toBeLessThan(MIB / 4)
  })
})

describe('tool arguments and output schemas of more than 16 MiB', () => {
  const long = 'a'.repeat(6 * MIB)
  const calls = (convert: (id: string) => object) => ['a', 'b', 'c'].map(convert)
  const schema = { type: 'object', description: 'a'.repeat(17 * MIB) }
  const requests: Readonly<Record<string, readonly [path: string, body: object]>> = {
    'chat calls': [
      '/v1/chat/completions',
      {
        model: 'claude',
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            tool_calls: calls((id) => ({
              id,
              type: 'function',
              function: { name: 'f', arguments: JSON.stringify({ long }) },
            })),
          },
        ],
      },
    ],
    'blocks of messages': [
      '/v1/messages',
      {
        model: 'gpt-4o',
        max_tokens: 10,
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: calls((id) => ({ type: 'tool_use', id, name: 'f', input: { long } })) },
        ],
      },
    ],
    'Responses items': [
      '/v1/responses',
      {
        model: 'claude',
        input: [
          { role: 'user', content: 'hi' },
          ...calls((call_id) => ({
            type: 'function_call',
            call_id,
            name: 'f',
            arguments: JSON.stringify({ long }),
          })),
        ],
      },
    ],
    'Gemini parts': [
      '/v1beta/models/gpt-4o:generateContent',
      {
        contents: [
          { role: 'user', parts: [{ text: 'hi' }] },
          { role: 'model', parts: calls(() => ({ functionCall: { name: 'f', args: { long } } })) },
        ],
      },
    ],
    'a schema': [
      '/v1/chat/completions',
      {
        model: 'claude',
        messages: [{ role: 'user', content: 'hi' }],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      },
    ],
  }

  it.each(Object.entries(requests))('are not converted: %s', async (_, [path, body]) => {
    const { status, text } = await mallory.calls(path, body)
    expect([status, text]).toEqual([413, expect.stringContaining('more than 16 MiB')])
    expect(world.upstream.requests).toEqual([])
  })

  it('pass unchanged in the vendor’s own dialect', async () => {
    world.upstream.answers({ body: chatAnswer('ok') })
    const [path, body] = requests['chat calls'] ?? ['', {}]
    expect(await mallory.calls(path, { ...body, model: 'gpt-4o' })).toMatchObject({ status: 200 })
  })
})
