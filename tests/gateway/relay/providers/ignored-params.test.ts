import { beforeAll, describe, expect, it } from 'vitest'
import { channelTypes } from '../../../../shared/channel-types.ts'
import { messageAnswer } from '../../../support/anthropic.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

const types = { 'deepseek-v4-pro': 'deepseek', 'deepseek-chat': 'deepseek', llama4: 'ollama' } as const

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [models, type] of Object.entries(types)) await world.channel({ models, type: channelTypes[type].id })
  await world.channel({ models: 'claude-sonnet-4-5', type: channelTypes.anthropic.id })
  alice = await world.user({ quota: 1_000_000_000 })
})

async function asked(path: string, body: object) {
  const answer = await alice.calls(path, body)
  expect(answer.status, answer.text).toBe(200)
  return { told: answer.headers.get('x-switchyard-dropped'), sent: world.upstream.last().json }
}

const messages = [{ role: 'user', content: 'hi' }]

describe('what a vendor of OpenAI’s dialect leaves aside (docs/reference/channel-types.md#deepseek)', () => {
  it.each(Object.keys(types))('%s: is told to its own dialect’s clients, whose body stays as it was', async (model) => {
    const more = { parallel_tool_calls: false, verbosity: 'low', n: 1, store: false, logit_bias: null, user: 'ann' }
    const { told, sent } = await asked('/v1/chat/completions', { model, messages, ...more })
    expect(told?.split(', ').sort()).toEqual(['parallel_tool_calls', 'user', 'verbosity'])
    expect(sent).toMatchObject(more)
  })

  it.each(Object.keys(types))('%s: is told to clients of other dialects in their own names', async (model) => {
    const responses = await asked('/v1/responses', {
      model,
      input: 'hi',
      prompt_cache_key: 'k',
      parallel_tool_calls: false,
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
      text: { verbosity: 'low' },
    })
    expect(responses.told).toContain('text.verbosity')
    expect(responses.told).toContain('parallel_tool_calls')
    const gemini = await asked(`/v1beta/models/${model}:generateContent`, {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { topK: 4 },
    })
    expect(gemini.told).toBe('generationConfig.topK')
    const claude = await asked('/v1/messages', {
      model,
      max_tokens: 9,
      top_k: 4,
      messages,
      metadata: { user_id: 'ann' },
    })
    expect(claude.told?.split(', ').sort()).toEqual(['metadata.user_id', 'top_k'])
  })

  it.each(Object.keys(types))('%s: reads the limit of the output by its older name', async (model) => {
    const { told, sent } = await asked('/v1/chat/completions', { model, messages, max_completion_tokens: 77 })
    expect(told).toBeNull()
    expect(sent.max_tokens).toBe(77)
    expect(sent).not.toHaveProperty('max_completion_tokens')
  })

  it('has no notice taken of a temperature while it thinks', async () => {
    const ask = (model: string, more: object = {}) =>
      asked('/v1/chat/completions', { model, messages, temperature: 0.1, ...more })
    expect((await ask('deepseek-v4-pro')).told).toBe('temperature')
    expect((await ask('deepseek-v4-pro', { thinking: { type: 'disabled' } })).told).toBeNull()
    expect((await ask('deepseek-chat')).told).toBeNull()
    expect((await ask('llama4')).told).toBeNull()
  })

  it('gets thoughts under the name that Ollama reads', async () => {
    const thought = { role: 'assistant', content: 'Good.', reasoning_content: 'Hm.' }
    const { sent } = await asked('/v1/chat/completions', {
      model: 'llama4',
      messages: [...messages, thought, ...messages],
    })
    expect(sent.messages[1]).toEqual({ role: 'assistant', content: 'Good.', reasoning: 'Hm.' })
  })
})

describe('members of a function declaration that only Gemini knows', () => {
  it('are told to others', async () => {
    world.upstream.answers({ body: messageAnswer({ texts: ['Good.'] }) })
    const declaration = { name: 'files.read', description: 'Reads.', behavior: 'NON_BLOCKING' }
    const { told } = await asked('/v1beta/models/claude-sonnet-4-5:generateContent', {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [declaration] }],
    })
    expect(told).toContain('tools.functionDeclarations')
  })
})
