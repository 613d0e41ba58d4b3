import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, usageOf } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { type Dialect, dialects } from '../parity/dialects.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0, SensitiveWords: 'lazy dog' } })
  await world.channel({ models: 'gemini-2.5-flash', type: 24 })
  await world.channel({ models: 'by-chat', type: 43 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const refused = (message: string, status?: string) => ({ status: 400, body: { error: { code: 400, message, status } } })
const candidate = (tokens: readonly string[]) => ({
  content: { role: 'model', parts: [{ text: tokens.join('') }] },
  logprobsResult: { chosenCandidates: tokens.map((token) => ({ token, logProbability: -0.5 })) },
  finishReason: 'STOP',
})
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 }
const asked = dialects.openai.body('gemini-2.5-flash', false)
const wanted = { ...asked, logprobs: true, top_logprobs: 2 }

describe('log probabilities (docs/reference/conversion.md#log-probabilities)', () => {
  it('are sent to a client of Chat as Google returns them', async () => {
    world.upstream.answers({ body: { candidates: [candidate(['Hi', '.'])], usageMetadata } })
    const { json, status, text } = await alice.calls('/v1/chat/completions', wanted)
    expect(status, text).toBe(200)
    expect(world.upstream.last().json.generationConfig).toMatchObject({ responseLogprobs: true, logprobs: 2 })
    expect(json.choices[0].logprobs.content).toEqual([
      { token: 'Hi', logprob: -0.5, bytes: [72, 105], top_logprobs: [] },
      { token: '.', logprob: -0.5, bytes: [46], top_logprobs: [] },
    ])
  })

  it.each(['Logprobs is not enabled for models/gemini-2.5-flash', 'Logprobs is not supported for this model.'])(
    'are left out, and reported, where the model has none: %s',
    async (message) => {
      world.upstream.answers(refused(message, 'INVALID_ARGUMENT'), {
        body: { candidates: [{ ...candidate(['Hi']), logprobsResult: undefined }], usageMetadata },
      })
      const { headers, status, text } = await alice.calls('/v1/chat/completions', wanted)
      expect(status, text).toBe(200)
      expect(headers.get('x-switchyard-dropped')).toBe('logprobs')
      const sent = world.upstream.requests.map(({ json }) => json.generationConfig?.responseLogprobs)
      expect(sent).toEqual([true, undefined])
    },
  )

  it('stay a refusal for a caller of the same dialect, who requested them', async () => {
    world.upstream.answers(refused('Logprobs is not enabled for models/gemini-2.5-flash'))
    const { path, body }: Dialect = dialects.gemini
    const answer = await alice.calls(path('gemini-2.5-flash', false), {
      ...body('', false),
      generationConfig: { responseLogprobs: true },
    })
    expect([answer.status, world.upstream.requests.length]).toEqual([400, 1])
  })

  it.each([false, true])('reveal nothing of a blocked word, streamed: %s', async (stream) => {
    const said = (token: string) => ({ content: [{ token, logprob: -0.5, bytes: null, top_logprobs: [] }] })
    const piece = (content: string, finish_reason: string | null = null) => ({
      ...chatAnswer(''),
      object: 'chat.completion.chunk',
      usage: null,
      choices: [{ index: 0, delta: { content }, finish_reason, logprobs: said(content) }],
    })
    const message = { role: 'assistant', content: 'The lazy dog' }
    const whole = { ...chatAnswer(''), choices: [{ index: 0, message, finish_reason: 'stop', logprobs: said('lazy') }] }
    if (stream)
      world.upstream.streams([
        ...['The ', 'lazy', ' dog'].map((each) => piece(each)),
        piece('', 'stop'),
        { ...chatAnswer(''), choices: [], usage: usageOf({}) },
        '[DONE]',
      ])
    else world.upstream.answers({ body: whole })
    const answer = await alice.calls(dialects.responses.path(), { ...dialects.responses.body('by-chat', stream) })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toContain('The ')
    expect(answer.text).not.toMatch(/lazy|dog/)
  })

  const scores = (token: string) => ({ content: [{ token, logprob: -0.5, bytes: null, top_logprobs: [] }] })
  const chunk = (delta: object, token: string, finish_reason: string | null = null) => ({
    ...chatAnswer(''),
    object: 'chat.completion.chunk',
    usage: null,
    choices: [{ index: 0, delta, finish_reason, logprobs: scores(token) }],
  })

  it('go into Responses with the preceding text, where none follows', async () => {
    world.upstream.streams([chunk({ content: 'Hi' }, 'Hi'), chunk({ content: '' }, '<end>', 'stop'), '[DONE]'])
    const { events } = await alice.calls(dialects.responses.path(), dialects.responses.body('by-chat', true))
    const last = events.at(-1).response
    expect(last.output[0].content[0].logprobs.map(({ token }: { token: string }) => token)).toEqual(['Hi', '<end>'])
    const pieces = events.filter(({ type }) => type === 'response.output_text.delta')
    expect(pieces.map(({ delta, logprobs }) => [delta, logprobs.length])).toEqual([
      ['Hi', 1],
      ['', 1],
    ])
  })

  it('are reported as lost in Responses where there is no text at all', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const choice = { index: 0, message, finish_reason: 'tool_calls', logprobs: scores('f') }
    world.upstream.answers({ body: { ...chatAnswer(''), choices: [choice] } })
    const answer = await alice.calls(dialects.responses.path(), dialects.responses.body('by-chat', false))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('x-switchyard-dropped')).toBe('logprobs')
  })
})
