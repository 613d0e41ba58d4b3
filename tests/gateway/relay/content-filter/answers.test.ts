import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Logger } from '../../../../gateway/base/log/logger.ts'
import { chatAnswer, chatStream, usageOf } from '../../../support/chat.ts'
import type { RelayAnswer } from '../../../support/relay-client.ts'
import type { Said } from '../../../support/said.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'
import { answered } from '../parity/vendors.ts'

const GIVEN = 1_000_000_000
const told: [string, unknown][] = []
const log: Logger = { debug() {}, info() {}, warn: (...line) => void told.push([line[0], line[1]]), error() {} }
const types = { openai: 1, anthropic: 14, gemini: 24, compatible: 43 } as const
const families = Object.keys(types) as (keyof typeof types)[] // the keys of a constant
const cells = dialectNames.flatMap((dialect) =>
  families.flatMap((family) => [false, true].map((stream) => [dialect, family, stream] as const)),
)
let world: World
let alice: Person

beforeAll(async () => {
  const models = families.map((family) => `by-${family}`)
  const ratios = (value: number) => Object.fromEntries([...models, 'gpt-4o'].map((model) => [model, value]))
  world = await aWorld({
    log,
    options: {
      ModelRatio: ratios(1),
      CompletionRatio: ratios(2),
      SensitiveWords: 'lazy dog\nDogma\nbrows',
      CheckSensitiveOnPromptEnabled: false,
    },
  })
  for (const family of families)
    await world.channel({ models: `by-${family}`, type: types[family], model_mapping: `{"by-${family}":"gpt-4o"}` })
  await world.channel({})
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => {
  world.upstream.reset()
  told.length = 0
})

const BAD: Said = { texts: ['The quick bro', 'wn fox jumps over the L', 'AZY D', 'og. And more'] }
const GOOD: Said = { texts: ['The quick bro', 'wn fox naps, the l', 'azy ', 'cat too.'] }
const DELIVERED = 'The quick brown fox jumps over the '
const TOKENS = 8
const FIGURES = { prompt: 1000, completion: 200 }

const ask = (dialect: DialectName, model: string, stream: boolean, more: object = {}) =>
  alice.calls(dialects[dialect].path(model, stream), { ...dialects[dialect].body(model, stream), ...more })

/** In each dialect: the text of a response, and its finish reason. */
const reads: Record<DialectName, (answer: RelayAnswer) => { text: string; end: unknown }> = {
  openai: ({ json, events, content }) => ({
    text: content,
    end: (json?.choices ?? events.flatMap(({ choices }) => choices ?? [])).at(-1)?.finish_reason,
  }),
  responses({ json, events }) {
    const whole = json ?? events.at(-1)?.response
    // biome-ignore lint/suspicious/noExplicitAny: whatever the gateway answered
    const items: any[] = whole.output
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
    const text = items.flatMap(({ content }) => content ?? []).map((part) => part.text)
    if (deltas.length > 0) expect(deltas.join('')).toBe(text.join(''))
    return { text: text.join(''), end: [whole.status, whole.incomplete_details?.reason] }
  },
  anthropic({ json, events }) {
    if (json) return { text: json.content[0].text, end: json.stop_reason }
    const deltas = events.filter(({ delta }) => delta?.type === 'text_delta').map(({ delta }) => delta.text)
    expect(events.at(-1).type).toBe('message_stop')
    expect(events.filter(({ type }) => type === 'content_block_start')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(1)
    return { text: deltas.join(''), end: events.at(-2).delta.stop_reason }
  },
  gemini({ json, events }) {
    const candidates = [...(json ? [json] : events)].flatMap((answer) => answer.candidates)
    const parts = candidates.flatMap(({ content }) => content?.parts ?? [])
    return { text: parts.map((part) => part.text ?? '').join(''), end: candidates.at(-1).finishReason }
  },
}
const filtered: Record<DialectName, unknown> = {
  openai: 'content_filter',
  responses: ['incomplete', 'content_filter'],
  anthropic: 'refusal',
  gemini: 'SAFETY',
}

describe('a blocked word in an answer (docs/reference/limits.md#blocked-words)', () => {
  it.each(cells)(
    'ends it before the word: %s clients of %s channels, streamed: %s',
    async (dialect, family, stream) => {
      world.upstream.answers((asked) => answered(asked, BAD, FIGURES))
      const answer = await ask(dialect, `by-${family}`, stream)
      expect(answer.status).toBe(200)
      expect(reads[dialect](answer)).toEqual({ text: DELIVERED, end: filtered[dialect] })
      expect(answer.text).not.toMatch(/lazy|dog/i)
      const receipt = await lastReceipt(world, alice.id)
      expect(receipt.other.ended).toBe('filtered')
      // A whole response is charged as its vendor reports it, a stream by what had arrived.
      expect(receipt.completion_tokens).toBe(stream ? TOKENS : FIGURES.completion)
      expect(receipt.prompt_tokens).toBeGreaterThan(10)
      expect(recomputed(receipt)).toBe(receipt.quota)
      const line = ['a blocked word in an answer', { requestId: receipt.request_id, word: 'lazy dog' }]
      expect(told).toEqual([line])
    },
  )

  it.each(cells)(
    'nothing else is changed: %s clients of %s channels, streamed: %s',
    async (dialect, family, stream) => {
      world.upstream.answers((asked) => answered(asked, GOOD, FIGURES))
      const guarded = await ask(dialect, `by-${family}`, stream)
      await world.option('StopOnSensitiveEnabled', false)
      const plain = await ask(dialect, `by-${family}`, stream)
      await world.option('StopOnSensitiveEnabled', true)
      const anonymous = ({ text }: RelayAnswer) =>
        text.replace(/[\w-]*\d{14,}[\w-]*/g, 'id').replace(/"created(_at)?":\d+/g, '')
      expect(anonymous(guarded)).toBe(anonymous(plain))
      expect((await lastReceipt(world, alice.id)).other.ended).toBe('complete')
      expect(told).toEqual([])
    },
  )

  it('at its very beginning leaves nothing of it; the prompt is charged, which the vendor has read', async () => {
    world.upstream.answers({ body: chatAnswer('Dogma', FIGURES) }, { events: chatStream(['Dog', 'ma', ' more']) })
    for (const stream of [false, true]) {
      const answer = await ask('openai', 'gpt-4o', stream)
      expect(reads.openai(answer)).toEqual({ text: '', end: 'content_filter' })
      const receipt = await lastReceipt(world, alice.id)
      expect(receipt.other.ended).toBe('filtered')
      expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual(stream ? [expect.any(Number), 0] : [1000, 200])
      expect(receipt.quota).toBeGreaterThan(0)
    }
  })

  it('ends the upstream call', async () => {
    world.upstream.streams(chatStream(['a lazy', ' dog', 'more']).slice(0, 3), { hang: true })
    expect(reads.openai(await ask('openai', 'gpt-4o', true)).text).toBe('a ')
    expect(await world.upstream.last().aborted).toBe(true)
  })

  it.each(['reasoning_content', 'refusal'])('is found in %s', async (field) => {
    const deltas = ['so lazy', ' dogs'].map((piece) => ({ choices: [{ index: 0, delta: { [field]: piece } }] }))
    world.upstream.streams([...deltas, ...chatStream(['done'])])
    const answer = await ask('openai', 'gpt-4o', true)
    expect(answer.text).not.toMatch(/lazy|dog/)
    expect(reads.openai(answer).end).toBe('content_filter')
  })

  it('is searched in each choice separately; cut choices of a stream end together', async () => {
    const piece = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })
    const ending = { choices: [0, 1].map((index) => ({ index, delta: {}, finish_reason: 'stop' })) }
    const apart = [piece(0, 'lazy '), piece(1, 'dog'), ending, '[DONE]']
    const together = [piece(0, 'lazy '), piece(1, 'cats'), piece(0, 'dog'), ending, '[DONE]']
    world.upstream.answers({ events: apart }, { events: together })
    expect((await ask('openai', 'gpt-4o', true)).content).toBe('lazy dog')
    const { events, content } = await ask('openai', 'gpt-4o', true)
    const choices = events.flatMap((event) => event.choices ?? [])
    expect(content).toBe('')
    expect(choices.filter(({ finish_reason }) => finish_reason === 'content_filter')).not.toEqual([])
    expect(choices.filter(({ finish_reason }) => finish_reason === 'stop')).toEqual([])
  })

  it('of whole answers only the choice that has it is cut', async () => {
    const choices = ['a lazy dog', 'a cat'].map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    }))
    world.upstream.answers({ body: { ...chatAnswer(''), choices } })
    const { json } = await ask('openai', 'gpt-4o', false)
    expect(json.choices).toMatchObject([
      { message: { content: 'a ' }, finish_reason: 'content_filter' },
      { message: { content: 'a cat' }, finish_reason: 'stop' },
    ])
  })

  it.each([false, true])('ends an answer of /v1/completions, streamed: %s', async (stream) => {
    const piece = (text: string, finish_reason: string | null = null) => ({
      id: 'cmpl-1',
      object: 'text_completion',
      choices: [{ index: 0, text, finish_reason, logprobs: null }],
    })
    world.upstream.answers(
      stream
        ? { events: [piece('so la'), piece('zy dog'), piece('', 'stop'), '[DONE]'] }
        : { body: { ...piece('so lazy dog', 'stop'), usage: usageOf({}) } },
    )
    const { json, events } = await alice.calls('/v1/completions', { model: 'gpt-4o', prompt: 'hi', stream })
    // biome-ignore lint/suspicious/noExplicitAny: whatever the gateway answered
    const choices: any[] = json?.choices ?? events.flatMap((event) => event.choices ?? [])
    expect(choices.map(({ text }) => text).join('')).toBe('so ')
    expect(choices.at(-1).finish_reason).toBe('content_filter')
    expect((await lastReceipt(world, alice.id)).other.ended).toBe('filtered')
  })

  it('ends the array that Gemini streams without alt=sse', async () => {
    world.upstream.answers((asked) => answered(asked, BAD, FIGURES))
    const body = { contents: [{ parts: [{ text: 'hi' }] }] }
    const { json } = await alice.calls('/v1beta/models/by-gemini:streamGenerateContent', body)
    expect(json.at(-1).candidates[0].finishReason).toBe('SAFETY')
    expect(JSON.stringify(json)).not.toMatch(/lazy/i)
  })

  it.each([false, true])('is stored as it was sent, streamed: %s', async (stream) => {
    world.upstream.answers((asked) => answered(asked, BAD, FIGURES))
    const { json, events } = await ask('responses', 'by-anthropic', stream)
    const { id } = json ?? events.at(-1).response
    const headers = { authorization: `Bearer sk-${await alice.key()}` }
    const kept = await (await fetch(`${world.url}/v1/responses/${id}`, { headers })).text()
    expect(JSON.parse(kept)).toMatchObject({ id, status: 'incomplete' })
    expect(kept).toContain(DELIVERED)
    expect(kept).not.toMatch(/lazy|dog/i)
  })

  it('text that may begin a word is sent as soon as it turns out not to, and at the end', async () => {
    world.upstream.streams(chatStream(['a lazy', ' ', 'cat', ' and a laz']))
    expect((await ask('openai', 'gpt-4o', true)).content).toBe('a lazy cat and a laz')
  })

  it('leaves the ledger right', async () => {
    expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  })
})
