import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 42, models: 'mistral-large-latest' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const model = 'mistral-large-latest'
const chat = (messages: object[], more = {}) => alice.calls('/v1/chat/completions', { model, messages, ...more })
const sent = () => world.upstream.last().json
const call = (id: string) => ({ id, type: 'function', function: { name: 'clock', arguments: '{}' } })
const hi = { role: 'user', content: 'hi' }

describe('Mistral (docs/reference/channel-types.md#mistral)', () => {
  it('gives calls of tools ids it accepts, the same for call and result, and preserves those it does', async () => {
    await chat([
      hi,
      { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2'), call('abcDEF123')] },
      { role: 'tool', tool_call_id: 'call_2', name: 'clock', content: 'noon' },
      { role: 'tool', tool_call_id: 'call_1', content: 'night' },
      { role: 'tool', tool_call_id: 'abcDEF123', content: 'dawn' },
    ])
    const [, asked, two, one, own] = sent().messages
    const ids = asked.tool_calls.map(({ id }: { id: string }) => id)
    expect(ids.slice(0, 2)).toEqual([
      expect.stringMatching(/^[a-zA-Z0-9]{9}$/),
      expect.stringMatching(/^[a-zA-Z0-9]{9}$/),
    ])
    expect(new Set(ids).size).toBe(3)
    expect([one.tool_call_id, two.tool_call_id, own.tool_call_id]).toEqual(ids)
    expect([ids[2], two.name]).toEqual(['abcDEF123', 'clock'])
  })

  it('does so for clients of other dialects', async () => {
    await alice.calls('/v1/messages', {
      model,
      max_tokens: 10,
      messages: [
        hi,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'noon' }] },
      ],
    })
    const [, asked, result] = sent().messages
    expect(asked.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(result.tool_call_id).toBe(asked.tool_calls[0].id)
  })

  it('names pictures by a plain text, and instructions by the role it knows', async () => {
    const url = 'https://a.test/cat.png'
    await chat([
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ])
    expect(sent().messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: url },
        ],
      },
    ])
  })

  it('renames parameters with other names there, leaves out those it refuses, and preserves unknown ones', async () => {
    const answered = { role: 'assistant', content: 'Hello', refusal: null, reasoning_content: 'Let me see.' }
    const { headers } = await chat([{ ...hi, name: 'Ann' }, answered, hi], {
      seed: 7,
      max_completion_tokens: 9,
      user: 'u1',
      logit_bias: null,
      stream_options: { include_usage: true },
      safe_prompt: true,
      stream: true,
    })
    expect(sent()).toEqual({
      model,
      messages: [hi, { role: 'assistant', content: 'Hello' }, hi],
      random_seed: 7,
      max_tokens: 9,
      safe_prompt: true,
      stream: true,
    })
    expect(headers.get('x-switchyard-dropped')).toBe('user, messages.reasoning_content, messages.name')
  })
})
