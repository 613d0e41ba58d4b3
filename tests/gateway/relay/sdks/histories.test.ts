import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person, World } from '../../../support/world.ts'
import { PNG } from '../media/file-server.ts'
import { aHouse, createVendors, families, familyNames } from './gateway.ts'
import { MAX_TOKENS, weather } from './question.ts'

let world: World
let alice: Person

beforeAll(async () => {
  ;({ world, alice } = await aHouse())
})
beforeEach(() => {
  world.upstream.reset()
  world.upstream.answers(createVendors())
})

const { name, description, parameters } = weather
const data = PNG.toString('base64')
const chatCall = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name, arguments: city && JSON.stringify({ city }) },
})
const useOf = (id: string, city: string) => ({ type: 'tool_use', id, name, input: { city } })
const callOf = (id: string, city: string) => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: JSON.stringify({ city }),
})

/** Conversations of a form that the client's own vendor accepts and other vendors restrict. */
const histories: readonly (readonly [string, string, (model: string) => object])[] = [
  [
    'chat: the assistant first, twice the same side, empty texts, instructions in between',
    '/v1/chat/completions',
    (model) => ({
      model,
      messages: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'One.' },
        { role: 'user', content: [{ type: 'text', text: 'Two.' }] },
        { role: 'assistant', content: 'Three.' },
        { role: 'assistant', content: 'Four.' },
        { role: 'developer', content: 'Be kind.' },
        { role: 'user', content: 'Five.', name: 'ann' },
      ],
    }),
  ],
  [
    'chat: calls without text or arguments, their results in another order, then more text',
    '/v1/chat/completions',
    (model) => ({
      model,
      messages: [
        { role: 'user', content: 'How is the weather?' },
        { role: 'assistant', content: null, tool_calls: [chatCall('call.1', 'Paris'), chatCall('call.2', '')] },
        { role: 'tool', tool_call_id: 'call.1', content: 'rain' },
        { role: 'tool', tool_call_id: 'call.2', content: [{ type: 'text', text: 'sun' }] },
        { role: 'user', content: 'And tomorrow?' },
      ],
      tools: [{ type: 'function', function: { name } }],
      tool_choice: 'none',
    }),
  ],
  [
    'messages: a picture and an error as results, beside text',
    '/v1/messages',
    (model) => ({
      model,
      max_tokens: MAX_TOKENS,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'Draw the weather.' },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'I do.' }, useOf('toolu_1', 'Paris'), useOf('toolu_2', 'Oslo')],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                { type: 'text', text: 'Here.' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
              ],
            },
            { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true },
            { type: 'text', text: 'What do you see?' },
          ],
        },
      ],
      tools: [{ name, description, input_schema: parameters }],
    }),
  ],
  [
    'responses: calls and outputs one after the other, answers as output texts',
    '/v1/responses',
    (model) => ({
      model,
      store: false,
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'How is the weather?' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I ask.', annotations: [] }] },
        callOf('call_1', 'Paris'),
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
        callOf('call_2', 'Oslo'),
        { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'sun' }] },
        { role: 'assistant', content: 'Rain, then sun.' },
        { role: 'user', content: 'And tomorrow?' },
      ],
      tools: [{ type: 'function', name, description, parameters, strict: true }],
      tool_choice: 'none',
    }),
  ],
  [
    'generateContent: calls of one name without ids, two contents of one side, no role',
    '/v1beta/models/{model}:generateContent',
    () => ({
      contents: [
        { parts: [{ text: 'How is' }] },
        { role: 'user', parts: [{ text: 'the weather?' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name, args: { city: 'Paris' } } },
            { functionCall: { name, args: { city: 'Oslo' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name, response: { output: 'rain' } } },
            { functionResponse: { name, response: { output: 'sun' } } },
          ],
        },
        { role: 'model', parts: [{ text: 'Rain and sun.' }] },
        { role: 'user', parts: [{ text: 'And tomorrow?' }] },
      ],
      tools: [{ functionDeclarations: [{ name, description, parameters: { type: 'OBJECT', properties: {} } }] }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    }),
  ],
]
const natives: Record<string, string> = {
  '/v1/messages': 'anthropic',
  '/v1/chat/completions': 'openai compatible',
  '/v1/responses': 'openai',
  '/v1beta/models/{model}:generateContent': 'gemini',
}
const cells = histories.flatMap(([what, path, body]) =>
  familyNames.filter((family) => !natives[path]?.includes(family)).map((family) => [what, family, path, body] as const),
)

describe('a conversation that is particular', () => {
  it.each(cells)('%s: is one that %s takes', async (_, family, path, body) => {
    const { model } = families[family]
    const { status, text } = await alice.calls(path.replace('{model}', model), body(model))
    expect(status, text).toBe(200)
  })
})
