import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../gateway/billing/usage.ts'
import type { Json, RequestTarget } from '../../../../gateway/relay/formats/codec.ts'
import type { Conversation } from '../../../../gateway/relay/formats/conversation.ts'
import type { AnswerEvent } from '../../../../gateway/relay/formats/events.ts'
import { type Format, formats } from '../../../../gateway/relay/formats/format.ts'
import { createEventTap } from '../../../../gateway/relay/metering/event-tap.ts'
import { translation } from '../../../../gateway/relay/transforms/translation.ts'
import { gist } from '../formats/openai/gist.ts'
import { frame } from './answers.ts'
import { conversations, gistOf, jsonText, markedConversations, markedTexts } from './conversations.ts'
import { pairs } from './golden.ts'
import { aSetOfCodecs } from './replay-answer.ts'

const models: Readonly<Record<Format, string>> = {
  openai: 'gpt-5.6',
  responses: 'gpt-5.6',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
}

/** Encodes a conversation; returns the result and the reported losses. */
function written(conversation: Conversation, format: Format, openrouter = false): { wire: Json; dropped: Set<string> } {
  const dropped = new Set<string>()
  const target: RequestTarget = {
    model: models[format],
    streamOptions: false,
    cacheMarks: openrouter,
    strictOpenai: !openrouter,
    settings: { claudeMaxTokens: { default: 8192 }, geminiSafety: {}, geminiImageModels: [] },
    drop: (name) => dropped.add(name),
  }
  return { wire: aSetOfCodecs()[format].encodeRequest(conversation, target), dropped }
}

/** A conversation as decoded from a client's request. */
const read = (wire: Json, format: Format): Conversation =>
  aSetOfCodecs()[format].decodeRequest(JSON.parse(JSON.stringify(wire)), models[format], false)

/** A conversation after a round trip through a client's dialect: encoded and decoded again. */
const askedIn = (format: Format, conversation: Conversation, openrouter = false): Conversation =>
  read(written({ ...conversation, extras: { from: format, fields: {} } }, format, openrouter).wire, format)

/** The events of a stream whose text arrives in pieces of equal length. */
function heard(stream: string, format: Format, length = Number.POSITIVE_INFINITY): readonly AnswerEvent[] {
  const events: AnswerEvent[] = []
  const tap = { ...createEventTap('a-model'), take: (event: AnswerEvent) => void events.push(event) }
  const silent = { add: () => '', end: () => '' }
  const transform = translation(aSetOfCodecs()[format].decodeStream(), silent, tap)
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length; at += length) transform.feed(bytes.subarray(at, at + length))
  transform.end()
  return events
}

function told(events: readonly AnswerEvent[], format: Format): string {
  const encoder = aSetOfCodecs()[format].encodeStream(frame)
  return events.map((event) => encoder.add(event)).join('') + encoder.end(usageOf({ prompt: 12, completion: 5 }))
}

function argumentsOf(events: readonly AnswerEvent[]): readonly string[] {
  const calls: string[] = []
  for (const event of events)
    if (event.type === 'tool') calls[event.call] = (calls[event.call] ?? '') + (event.json ?? '')
  return calls
}

const words = fc.string({ unit: 'grapheme', minLength: 1 })

/** A text cut at the given positions. */
function cut(text: string, places: readonly number[]): readonly string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1))), text.length].sort((a, b) => a - b)
  return ends.map((end, n) => text.slice(ends[n - 1] ?? 0, end))
}

/** Calls whose arguments arrive in pieces, one call after the other or interleaved. */
const callsInPieces = fc
  .record({
    arguments: fc.array(jsonText, { minLength: 1, maxLength: 3 }),
    places: fc.array(fc.nat(200), { maxLength: 6 }),
    byTurns: fc.boolean(),
  })
  .map(({ arguments: all, places, byTurns }) => {
    const begun = all.map(
      (_, call): AnswerEvent => ({ type: 'tool', choice: 0, call, id: `call_${call + 1}`, name: 'weather' }),
    )
    const pieces = all.map((json, call) =>
      cut(json, places).map((piece): AnswerEvent => ({ type: 'tool', choice: 0, call, json: piece })),
    )
    const max = Math.max(...pieces.map((each) => each.length))
    const turns = Array.from({ length: max }, (_, n) => pieces.flatMap((each) => each.slice(n, n + 1)))
    const events = byTurns
      ? [...begun, ...turns.flat()]
      : pieces.flatMap((each, n) => [...begun.slice(n, n + 1), ...each])
    return { all, events: [...events, { type: 'finish', choice: 0, reason: 'tool-calls' } as const] }
  })

/** Random responses with reasoning, text and calls, which all dialects have. */
const answers = fc
  .record({
    thought: fc.option(words, { nil: undefined }),
    text: fc.option(words, { nil: undefined }),
    calls: fc.array(jsonText, { maxLength: 2 }),
  })
  .map(({ thought, text, calls }): readonly AnswerEvent[] => [
    { type: 'start', id: 'x', model: 'a-model' },
    ...(thought === undefined ? [] : [{ type: 'reasoning', choice: 0, text: thought } as const]),
    ...(text === undefined ? [] : [{ type: 'text', choice: 0, text } as const]),
    ...calls.map((json, call) => ({ type: 'tool', choice: 0, call, id: `call_${call + 1}`, name: 'f', json }) as const),
    { type: 'usage', usage: usageOf({ prompt: 12, completion: 5 }) },
    { type: 'finish', choice: 0, reason: calls.length > 0 ? 'tool-calls' : 'stop' },
  ])

describe.each(pairs)('$pair', ({ from, to }) => {
  it('joins a call to the same JSON, from any pieces', () => {
    fc.assert(
      fc.property(callsInPieces, fc.integer({ min: 1, max: 50 }), ({ all, events }, length) => {
        const source = told(events, from)
        const codecs = aSetOfCodecs()
        const transform = translation(
          codecs[from].decodeStream(),
          codecs[to].encodeStream(frame),
          createEventTap('a-model'),
        )
        let out = ''
        const bytes = Buffer.from(source)
        for (let at = 0; at < bytes.length; at += length) out += transform.feed(bytes.subarray(at, at + length))
        out += transform.end()
        out += transform.close(usageOf({}))
        expect(argumentsOf(heard(out, to, length))).toEqual(all)
      }),
      { numRuns: 100 },
    )
  })

  it('preserves the content of a conversation', () => {
    fc.assert(
      fc.property(conversations(), (conversation) => {
        const asked = askedIn(from, conversation)
        const { wire, dropped } = written(asked, to)
        const received = read(wire, to)
        expect([...dropped].filter((name) => name !== 'temperature')).toEqual([])
        const lost = dropped.has('temperature') ? { temperature: conversation.temperature } : {}
        expect(gistOf({ ...received, ...lost })).toEqual(gistOf(conversation))
      }),
      { numRuns: 100 },
    )
  })

  it('preserves the content of an answer, complete and as a stream', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const codecs = aSetOfCodecs()
        const usage = usageOf({ prompt: 12, completion: 5 })
        const whole = codecs[from].decodeAnswer(codecs[from].encodeAnswer(events, frame, usage))
        const received = codecs[to].decodeAnswer(codecs[to].encodeAnswer(whole, frame, usage))
        const streamed = heard(told(heard(told(events, from), from), to), to)
        expect(saying(received)).toEqual(saying(events))
        expect(saying(streamed)).toEqual(saying(events))
      }),
      { numRuns: 100 },
    )
  })
})

/** The meaning of events except usage, whose semantics differ by dialect. */
const saying = (events: readonly AnswerEvent[]): unknown => gist(events.filter((event) => event.type !== 'usage'))

/** Directions between dialects that both have cache marks. */
const marking = pairs.filter(({ from, to }) => from !== 'gemini' && to !== 'gemini')
const routed = pairs.filter(({ from, to }) => [from, to].includes('openai') && [from, to].includes('anthropic'))

describe('prompt caches', () => {
  it.each(marking)('$pair: preserves the position of every mark', ({ from, to }) => {
    fc.assert(
      fc.property(markedConversations(), (conversation) => {
        const { wire, dropped } = written(askedIn(from, conversation), to)
        expect(dropped.has('cache')).toBe(false)
        expect(markedTexts(read(wire, to))).toEqual(markedTexts(conversation))
      }),
      { numRuns: 60 },
    )
  })

  it.each(routed)('$pair at OpenRouter: preserves the position of every mark', ({ from, to }) => {
    fc.assert(
      fc.property(markedConversations(), (conversation) => {
        const { wire, dropped } = written(askedIn(from, conversation, true), to, true)
        expect(dropped.has('cache')).toBe(false)
        expect(markedTexts(read(wire, to))).toEqual(markedTexts(conversation))
      }),
      { numRuns: 60 },
    )
  })

  it.each(formats.filter((from) => from !== 'gemini'))(
    '%s>gemini: reports marks, which have no equivalent there',
    (from) => {
      fc.assert(
        fc.property(markedConversations(), (conversation) => {
          const { dropped } = written(askedIn(from, conversation), 'gemini')
          expect(dropped.has('cache')).toBe(markedTexts(conversation).length > 0)
        }),
        { numRuns: 60 },
      )
    },
  )

  it.each(pairs.filter(({ from }) => from === 'openai' || from === 'responses'))(
    '$pair: preserves the key, or reports it',
    ({ from, to }) => {
      fc.assert(
        fc.property(conversations(), fc.string(), (conversation, cacheKey) => {
          const { wire, dropped } = written(askedIn(from, { ...conversation, cacheKey }), to)
          const isKept = to === 'openai' || to === 'responses'
          expect(read(wire, to).cacheKey).toBe(isKept ? cacheKey : undefined)
          expect(dropped.has('cacheKey')).toBe(!isKept)
        }),
        { numRuns: 100 },
      )
    },
  )
})
