import fc from 'fast-check'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { restoring } from '../../../../../gateway/relay/formats/client-calls.ts'
import type { OwnShape } from '../../../../../gateway/relay/formats/conversation.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { responses as plain } from '../../../../../gateway/relay/formats/responses/codec.ts'
import { takingText } from '../client-tools.ts'
import { frame, joined, payloadsOf, streamed } from './frames.ts'

const responses = restoring(plain)

const usage = usageOf({ prompt: 30, completion: 8, cacheRead: 10, reasoning: 2 })
const clientTools = takingText('wrapped')

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const signature = fc.record({
  by: fc.constantFrom<Format[]>('anthropic', 'gemini', 'responses'),
  value: fc.base64String({ minLength: 4 }),
})
const json = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value))

/** Random parts of a response; their calls are numbered afterwards. */
const stretch = fc.oneof(
  fc
    .array(word, { minLength: 1 })
    .map((texts): AnswerEvent[] => texts.map((text) => ({ type: 'text', choice: 0, text }))),
  word.map((text): AnswerEvent[] => [{ type: 'refusal', choice: 0, text }]),
  fc.tuple(word, signature).map(([text, seal]): AnswerEvent[] => [
    { type: 'reasoning', choice: 0, text },
    { type: 'reasoning', choice: 0, text: '', signature: seal },
  ]),
  signature.map((seal): AnswerEvent[] => [{ type: 'reasoning', choice: 0, text: '', signature: seal, redacted: true }]),
  fc.tuple(json, fc.nat(), fc.option(signature)).map(([text, at, seal]): AnswerEvent[] => [
    {
      type: 'tool',
      choice: 0,
      call: 0,
      id: 'counted later',
      name: 'f',
      ...(seal ? { signature: { ...seal, by: 'gemini' } } : {}),
    },
    { type: 'tool', choice: 0, call: 0, json: text.slice(0, at % text.length) },
    { type: 'tool', choice: 0, call: 0, json: text.slice(at % text.length) },
  ]),
)

/** Numbers the calls and gives each a unique id. */
const numbered = (stretches: readonly (readonly AnswerEvent[])[]): readonly AnswerEvent[] =>
  stretches.flatMap((events, call) =>
    events.map((event) =>
      event.type === 'tool' ? { ...event, call, ...(event.id ? { id: `call:${call}` } : {}) } : event,
    ),
  )

const answers = fc.array(stretch, { maxLength: 6 }).map(numbered)

/** The meaning of a response: its events without the ids of signatures, and with calls numbered in order. */
function meaning(events: readonly AnswerEvent[]) {
  const text = (type: 'text' | 'refusal') => events.map((event) => (event.type === type ? event.text : '')).join('')
  const thoughts = joined(events).flatMap((event) =>
    event.type === 'reasoning' ? [[event.text, event.signature?.by, event.signature?.value, event.redacted]] : [],
  )
  const calls = events
    .flatMap((event) => (event.type === 'tool' && event.name !== undefined ? [event] : []))
    .map((first) => ({
      id: first.id,
      name: first.name,
      signature: first.signature?.value,
      arguments: events
        .map((event) => (event.type === 'tool' && event.call === first.call ? (event.json ?? '') : ''))
        .join(''),
    }))
  return { text: text('text'), refusal: text('refusal'), thoughts, calls }
}

describe('a Responses answer', () => {
  it('means the same after being written and read, whole and streamed', () => {
    fc.assert(
      fc.property(answers, (events) => {
        const whole = responses.decodeAnswer(responses.encodeAnswer(events, frame({ clientTools }), usage))
        expect(meaning(whole)).toEqual(meaning(events))
        const encoder = responses.encodeStream(frame({ clientTools }))
        const text = events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
        const stream = streamed(payloadsOf(text))
        expect(meaning(stream)).toEqual(meaning(events))
        expect(stream.at(-1)).toEqual({ type: 'done' })
        for (const told of [whole, stream]) expect(told).toContainEqual({ type: 'usage', usage })
      }),
      { numRuns: 200 },
    )
  })

  it('is put together again by OpenAI’s own client', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (events) => {
        const encoder = responses.encodeStream(frame({ clientTools }))
        const text = events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
        const client = new OpenAI({
          apiKey: 'none',
          baseURL: 'http://127.0.0.1/v1',
          fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
        })
        const said = await client.responses.stream({ model: 'gpt-5', input: 'Hi' }).finalResponse()
        const whole = responses.encodeAnswer(events, frame({ clientTools }), usage)
        expect(said.id).toBe(whole.id)
        expect(said.output).toMatchObject(whole.output as object[])
        expect(said.output_text).toBe(meaning(events).text)
      }),
      { numRuns: 40 },
    )
  })
})

describe('calls of tools that have separate item types', () => {
  it('are put together by OpenAI’s own client among others', async () => {
    const call = (at: number, name: string, json: string, shape?: OwnShape): AnswerEvent => ({
      type: 'tool',
      choice: 0,
      call: at,
      id: `call_${at}`,
      name,
      json,
      ...(shape ? { shape } : {}),
    })
    const events: AnswerEvent[] = [
      { type: 'text', choice: 0, text: 'Let me see.' },
      call(0, 'shell', '{"commands":"ls"}', 'shell'),
      call(1, 'weather', '{}'),
      call(2, 'apply_patch', '{"type":"delete_file","path":"a","diff":"-"}', 'apply_patch'),
      call(3, 'local_shell', '{"command":"ls -l"}', 'local_shell'),
      call(4, 'tool_search', 'no JSON', 'tool_search'),
      { type: 'finish', choice: 0, reason: 'tool-calls' },
    ]
    const encoder = responses.encodeStream(frame())
    const text = events.map((event) => encoder.add(event)).join('') + encoder.end(usage)
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: 'http://127.0.0.1/v1',
      fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
    })
    const said = await client.responses.stream({ model: 'gpt-5', input: 'Hi' }).finalResponse()
    const { output } = responses.encodeAnswer(events, frame(), usage)
    expect(said.output).toMatchObject(output as object[])
    expect(output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', name: 'weather' },
      { type: 'shell_call', call_id: 'call_0', action: { commands: ['ls'] } },
      { type: 'apply_patch_call', operation: { type: 'delete_file', path: 'a' } },
      { type: 'local_shell_call', action: { type: 'exec', command: ['bash', '-lc', 'ls -l'] } },
      { type: 'tool_search_call', execution: 'client', arguments: {} },
    ])
    const told = responses.decodeAnswer(responses.encodeAnswer(events, frame(), usage))
    expect(told.filter(({ type }) => type === 'tool')).toHaveLength(10)
  })
})

describe('usage', () => {
  it('is read as it was written, by semantics', () => {
    const figures = fc.record({
      prompt: fc.nat(1_000_000),
      completion: fc.integer({ min: 1, max: 1_000_000 }),
      cacheRead: fc.nat(1000),
      cacheWrite: fc.nat(1000),
    })
    fc.assert(
      fc.property(figures, (part) => {
        const anthropic = usageOf({ ...part, semantics: 'anthropic' })
        const read = responses.decodeAnswer(responses.encodeAnswer([], frame(), anthropic))
        const prompt = part.prompt + part.cacheRead + part.cacheWrite
        expect(read).toContainEqual({ type: 'usage', usage: usageOf({ ...part, prompt }) })
      }),
    )
  })
})
