import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RESPONSES_SEAL } from '../../../support/responses.ts'
import type { Said } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { answered } from '../parity/vendors.ts'
import { askNames, asks, CALL_ID } from './api-format-asks.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
  await world.channel({ models: 'gpt-5.6-sol' })
})
beforeEach(() => world.upstream.reset())

const said: Said = { thoughts: 'Hm.', calls: [{ id: CALL_ID, name: 'weather', arguments: { city: 'Paris' } }] }

describe('sealed thoughts of OpenAI, on their way to the client and back (docs/reference/conversion.md#sealed-thoughts)', () => {
  const ways = askNames.flatMap((name) => [false, true].map((stream) => [name, stream] as const))
  const secret: Said = { ...said, thoughts: '' }

  it.each(ways)('in %s, streamed: %s', async (name, stream) => {
    for (const spoken of [said, secret]) {
      world.upstream.reset()
      world.upstream.answers((request) => answered(request, spoken, {}))
      const { path, body, next } = asks[name]
      const asked = body('gpt-5.6-sol', stream, true)
      const first = await alice.calls(path('gpt-5.6-sol', stream), asked)
      expect(first.status, first.text).toBe(200)
      expect(world.upstream.last().json).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
      const second = await alice.calls(path('gpt-5.6-sol', stream), next(asked, first))
      expect(second.status, second.text).toBe(200)
      const [, thought, call, result] = world.upstream.last().json.input
      expect(thought).toEqual({
        type: 'reasoning',
        id: 'rs_resp_1',
        summary: spoken.thoughts && name !== 'generate' ? [{ type: 'summary_text', text: spoken.thoughts }] : [],
        encrypted_content: RESPONSES_SEAL,
      })
      expect(call).toMatchObject({ type: 'function_call', name: 'weather', arguments: '{"city":"Paris"}' })
      expect(result).toMatchObject({ type: 'function_call_output', call_id: call.call_id })
    }
  })
})

describe('thoughts for clients of Chat that send back only calls', () => {
  it.each([false, true])('are sealed on the calls, too, streamed: %s', async (stream) => {
    world.upstream.answers((request) => answered(request, said, {}))
    const { path, body, next } = asks.chat
    const asked = body('gpt-5.6-sol', stream, true)
    const { messages, ...rest } = next(asked, await alice.calls(path(), asked))
    const [question, { reasoning_details: details = [], ...message } = {}, result] = messages as Record<
      string,
      unknown
    >[]
    expect(details).toHaveLength(1)
    const second = await alice.calls(path(), { ...rest, messages: [question, message, result] })
    expect(second.status, second.text).toBe(200)
    expect(world.upstream.last().json.input[1]).toMatchObject({ id: 'rs_resp_1', encrypted_content: RESPONSES_SEAL })
  })
})

describe('thoughts for clients of Google’s dialect, whose calls have separate seals', () => {
  const parts = async (spoken: Said, stream: boolean) => {
    world.upstream.answers((request) => answered(request, spoken, {}))
    const { path, body } = asks.generate
    const { json, events } = await alice.calls(path('gpt-5.6-sol', stream), body('', stream, true))
    return (stream ? events : [json]).flatMap(({ candidates }) => candidates[0].content.parts)
  }
  const seal = Buffer.from(`switchyard:responses:rs_resp_1:${RESPONSES_SEAL}`).toString('base64')

  it.each([false, true])(
    'are sealed on the next call, and on themselves unless it follows at once, streamed: %s',
    async (stream) => {
      const both = await parts({ ...said, texts: ['One moment.'] }, stream)
      expect(both.filter(({ thoughtSignature }) => thoughtSignature === seal)).toHaveLength(2)
      world.upstream.reset()
      const { path, body } = asks.generate
      const asked = body('', stream, true)
      const contents = [...(asked.contents as object[]), { role: 'model', parts: both }]
      await alice.calls(path('gpt-5.6-sol', stream), { ...asked, contents })
      const items = world.upstream.last().json.input.map(({ type = 'message' }) => type)
      expect(items).toEqual(['message', 'reasoning', 'message', 'function_call'])
      world.upstream.reset()
      const two = await parts(
        { ...said, calls: [...(said.calls ?? []), { id: 'call_2', name: 'weather', arguments: {} }] },
        stream,
      )
      const sealed = two.filter(({ functionCall }) => functionCall).map(({ thoughtSignature }) => thoughtSignature)
      expect(sealed).toEqual([seal, undefined])
      expect(two.filter(({ thought }) => thought)).toEqual([{ text: 'Hm.', thought: true }])
      world.upstream.reset()
      const text = await parts({ thoughts: 'Hm.', texts: ['21.'] }, stream)
      expect(text.filter(({ thoughtSignature }) => thoughtSignature === seal)).toHaveLength(1)
    },
  )
})

describe('a Responses request that OpenAI refuses (docs/reference/conversion.md#sealed-thoughts)', () => {
  const refusal = (error: object) => ({
    status: 400,
    body: { error: { message: 'No.', type: 'invalid_request_error', ...error } },
  })
  const unknown = refusal({ param: null, code: 'invalid_encrypted_content' })
  const unverified = refusal({ param: 'reasoning.summary', code: 'unsupported_value' })
  const asked = asks.messages.body('gpt-5.6-sol', false, true)
  const call = { type: 'tool_use', id: CALL_ID, name: 'weather', input: {} }
  const history = [
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'switchyard:responses:rs_0:ELSE' }, call],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: CALL_ID, content: '21' }] },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'switchyard:responses:rs_1:ELSE' }] },
    { role: 'user', content: 'And now?' },
  ]
  const kept = Buffer.from('switchyard:responses:rs_0:ELSE').toString('base64')
  const body = { ...asked, messages: [...(asked.messages as object[]), ...history] }

  const item = (message: string) => refusal({ message, param: 'input', code: null })
  const lone = item("Item 'rs_1' of type 'reasoning' was provided without its required following item.")
  const gone = {
    ...item("Item with id 'rs_1' not found. Items are not persisted when `store` is set to false."),
    status: 404,
  }

  it.each([unknown, lone, gone])('is sent again without seals that the vendor does not know, %#', async (refused) => {
    world.upstream.answers(refused, (request) => answered(request, said, {}))
    const answer = await alice.calls('/v1/messages', body)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBeNull()
    const [first, second] = world.upstream.requests.map(({ json }) => json.input.map(({ type = 'message' }) => type))
    expect(first).toEqual(['message', 'reasoning', 'function_call', 'function_call_output', 'reasoning', 'message'])
    expect(second).toEqual(['message', 'function_call', 'function_call_output', 'message'])
  })

  it('is sent again without those on calls', async () => {
    world.upstream.answers(unknown, (request) => answered(request, said, {}))
    const asking = asks.generate.body('', false, true)
    const parts = [{ functionCall: { name: 'weather', args: {} }, thoughtSignature: kept }]
    const answer = await alice.calls(asks.generate.path('gpt-5.6-sol', false), {
      ...asking,
      contents: [
        ...(asking.contents as object[]),
        { role: 'model', parts },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: {} } }] },
      ],
    })
    expect(answer.status, answer.text).toBe(200)
    const types = world.upstream.requests.map(({ json }) => json.input.map(({ type = 'message' }) => type))
    expect(types).toEqual([
      ['message', 'reasoning', 'function_call', 'function_call_output'],
      ['message', 'function_call', 'function_call_output'],
    ])
  })

  it('is sent again without a summary where the organization may have none, which is reported', async () => {
    world.upstream.answers(unverified, (request) => answered(request, said, {}))
    const thinking = { type: 'enabled', budget_tokens: 4096, display: 'summarized' }
    const answer = await alice.calls('/v1/messages', { ...asked, thinking, stream: true })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('thinking.display')
    expect(world.upstream.requests.map(({ json }) => json.reasoning)).toEqual([
      { effort: 'medium', summary: 'auto' },
      { effort: 'medium' },
    ])
  })

  it('is remembered for a key whose organization may have none, for an hour, and reported each time', async () => {
    const thinking = { type: 'enabled', budget_tokens: 4096, display: 'summarized' }
    const efforts = async () => {
      world.upstream.reset()
      world.upstream.answers((request) => (request.json.reasoning.summary ? unverified : answered(request, said, {})))
      const answer = await alice.calls('/v1/messages', { ...asked, thinking })
      expect([answer.status, answer.headers.get('x-switchyard-dropped')]).toEqual([200, 'thinking.display'])
      return world.upstream.requests.map(({ json }) => json.reasoning.summary)
    }
    world.clock.advance(3_600_000)
    expect(await efforts()).toEqual(['auto', undefined])
    expect(await efforts()).toEqual([undefined])
    world.clock.advance(3_600_000)
    expect(await efforts()).toEqual(['auto', undefined])
  })

  it('is sent again once', async () => {
    world.upstream.answers(unknown, unverified)
    const answer = await alice.calls('/v1/messages', body)
    expect([answer.status, world.upstream.requests.length]).toEqual([400, 2])
  })

  it('stays a refusal for a caller of Responses, who requested it', async () => {
    world.upstream.answers(unverified)
    const answer = await alice.calls('/v1/responses', {
      model: 'gpt-5.6-sol',
      input: 'hi',
      reasoning: { summary: 'auto' },
    })
    expect([answer.status, world.upstream.requests.length]).toEqual([400, 1])
  })
})
