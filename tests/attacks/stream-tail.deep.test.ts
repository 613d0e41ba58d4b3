import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageStream } from '../support/anthropic.ts'
import { geminiStream } from '../support/gemini.ts'
import { responseStream } from '../support/responses.ts'
import type { Script } from '../support/upstream.ts'
import type { Person, World } from '../support/world.ts'
import { aStreamWorld, modelOf, pairs, type StreamWorld, type Vendor } from './stream-world.ts'

const HUGE = 2_000_000
const figures = { prompt: 10, completion: 5 }
const frame = (event: object) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
const join = (events: readonly (Buffer | object)[]) =>
  Buffer.concat(events.map((event) => (Buffer.isBuffer(event) ? event : frame(event))))
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
})

/** A vendor's stream, and events it should not send after its end. */
const vendors = {
  openai: {
    stream: join([
      chunk({ role: 'assistant', content: 'Hello' }),
      chunk({}, 'stop'),
      { id: 'c', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
      Buffer.from('data: [DONE]\n\n'),
    ]),
    tail: join([
      chunk({ content: 'AFTER' }),
      { id: 'c', choices: [], usage: { prompt_tokens: HUGE, completion_tokens: HUGE, total_tokens: 2 * HUGE } },
      Buffer.from('data: AFTER no json\n\n: AFTER\n\n'),
    ]),
  },
  anthropic: {
    stream: join(messageStream({ texts: ['Hello'] }, figures)),
    tail: join([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'AFTER' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: HUGE, output_tokens: HUGE } },
      Buffer.from('data: AFTER no json\n\n'),
    ]),
  },
  gemini: {
    stream: join(geminiStream({ texts: ['Hello'] }, figures)),
    tail: join([
      { candidates: [{ content: { role: 'model', parts: [{ text: 'AFTER' }] }, index: 0 }] },
      { usageMetadata: { promptTokenCount: HUGE, candidatesTokenCount: HUGE, totalTokenCount: 2 * HUGE } },
      Buffer.from('data: AFTER no json\n\n'),
    ]),
  },
  responses: {
    stream: join(responseStream({ texts: ['Hello'] }, figures)),
    tail: join([
      { type: 'response.output_text.delta', item_id: 'x', output_index: 0, content_index: 0, delta: 'AFTER' },
      {
        type: 'response.completed',
        response: { id: 'resp_1', status: 'completed', output: [], usage: { input_tokens: HUGE, output_tokens: HUGE } },
      },
      Buffer.from('data: AFTER no json\n\n'),
    ]),
  },
} as const satisfies Readonly<Record<Vendor, object>>

let world: World
let alice: Person
let ask: StreamWorld['ask']
let receipt: StreamWorld['receipt']

beforeAll(async () => {
  ;({ world, alice, ask, receipt } = await aStreamWorld())
})
beforeEach(() => world.upstream.reset())

describe('data that an upstream sends after the end of its stream', () => {
  it.each(pairs)('neither counts nor reaches the caller, from %s to %s', async (vendor, caller) => {
    const { stream, tail } = vendors[vendor]
    const scripts: Script[] = [
      { events: [Buffer.concat([stream, tail])] },
      { events: [stream, tail], gapMs: 30 },
      {
        events: Array.from(Buffer.concat([stream, tail]), (_, at) =>
          Buffer.concat([stream, tail]).subarray(at, at + 1),
        ),
      },
    ]
    for (const script of scripts) {
      const { status, text, broke, receipt } = await ask(vendor, caller, script)
      expect([status, broke]).toEqual([200, undefined])
      expect(text).toContain('Hello')
      expect(text).not.toContain('AFTER')
      expect(text).not.toContain(String(HUGE))
      expect(receipt).toMatchObject({ quota: 15, other: { ended: 'complete' } })
      if (caller.endsWith('array')) expect(JSON.parse(text)).toBeInstanceOf(Array)
    }
  })

  it.each([
    ['openai', 'openai'],
    ['anthropic', 'openai'],
    ['gemini', 'gemini'],
  ] as const)(
    'delays no other request where it never ends, and is disconnected: from %s to %s',
    async (vendor, caller) => {
      const { stream, tail } = vendors[vendor]
      for (const events of [[stream], [stream, ...Array.from({ length: 40 }, () => Buffer.alloc(8192, tail))]]) {
        const { receipt } = await ask(vendor, caller, { events, hang: true })
        expect(receipt.other.ended).toBe('complete')
        expect(await world.upstream.last().aborted).toBe(true)
        world.upstream.reset()
      }
    },
  )

  it('does not count in a stream that was not requested', async () => {
    const { stream, tail } = vendors.anthropic
    world.upstream.answers({ events: [Buffer.concat([stream, tail])], hang: true })
    const { json } = await alice.asks(modelOf('anthropic'), 'hi')
    expect(json.choices[0].message.content).toBe('Hello')
    expect((await receipt()).quota).toBe(15)
  })

  it('does not prevent usage from counting that comes separately after the finish reason', async () => {
    const [first] = geminiStream({ texts: ['Hello'] }, null)
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
    const { text, receipt } = await ask('gemini', 'gemini', { events: [first!, { usageMetadata }] })
    expect(text).toContain('"totalTokenCount":15')
    expect(receipt.quota).toBe(15)
  })

  it('takes a reason on every response for no end, while the figures are missing', async () => {
    const [one] = geminiStream({ texts: ['Hello'] }, null)
    const [two] = geminiStream({ texts: [' there'] }, figures)
    for (const caller of ['gemini', 'openai']) {
      const { text, receipt } = await ask('gemini', caller, { events: [one!, two!] })
      expect(text).toContain(' there')
      expect(receipt.quota).toBe(15)
    }
  })
})
