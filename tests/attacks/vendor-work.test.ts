import { describe, expect, it } from 'vitest'
import { usageOf } from '../../gateway/billing/usage.ts'
import { AnswerGate } from '../../gateway/relay/content-filter/answer-gate.ts'
import { EventPieces } from '../../gateway/relay/content-filter/event-pieces.ts'
import { guardedTranslated } from '../../gateway/relay/content-filter/guarded-translated.ts'
import { guardedUntouched } from '../../gateway/relay/content-filter/guarded-untouched.ts'
import { createWordList } from '../../gateway/relay/content-filter/word-list.ts'
import { AnswerBudget } from '../../gateway/relay/formats/answer-budget.ts'
import { type AnswerFrame, NO_CLIENT_TOOLS } from '../../gateway/relay/formats/codec.ts'
import { createCodecs } from '../../gateway/relay/formats/codecs.ts'
import { LineTooLong } from '../../gateway/relay/formats/refusals.ts'
import { dataFrames } from '../../gateway/relay/formats/sse.ts'
import { createEventTap } from '../../gateway/relay/metering/event-tap.ts'
import { createTap } from '../../gateway/relay/metering/usage-tap.ts'
import { decodeAnswer as decodeCohere } from '../../gateway/relay/providers/cohere/answer.ts'
import { createFrameReader } from '../../gateway/relay/providers/zhipu/frames.ts'
import { framedTranslation, translation } from '../../gateway/relay/transforms/translation.ts'
import { workOf } from '../support/work-of.ts'

const codecs = createCodecs(() => 'call_1')

const FRAME: AnswerFrame = {
  id: '1',
  model: 'm',
  created: 1,
  wantsUsage: true,
  promptTokens: () => 1,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
}

/** In milliseconds; many times what the work of each test takes on a slow machine. */
const LITTLE = 150

describe('figures of an answer from Anthropic', () => {
  const delta = (usage: object) => JSON.stringify({ type: 'message_delta', delta: {}, usage })

  it('are joined by the names that are known', async () => {
    const { payload } = decoderOf('anthropic')
    const work = await workOf(() => {
      for (let at = 0; at < 4000; at += 1) payload(delta({ [`a${at}`]: 1 }))
    })
    expect(work).toBeLessThan(LITTLE)
    expect(payload(delta({ input_tokens: 3, output_tokens: 2 }))).toMatchObject([
      { usage: { prompt: 3, completion: 2 } },
    ])
  })

  it('have few iterations', async () => {
    const { payload } = decoderOf('anthropic')
    const iterations = Array.from({ length: 20_000 }, () => ({ type: 'message' }))
    payload(delta({ input_tokens: 3, output_tokens: 2, iterations }))
    const work = await workOf(() => {
      for (let at = 0; at < 1000; at += 1) payload(delta({}))
    })
    expect(work).toBeLessThan(LITTLE)
  })
})

describe('an event that waits for the end of a blocked word', () => {
  const text = { size: 9, events: [{ type: 'text', choice: 0, text: 'f' }] } as const
  const blank = { size: 1, events: [] }
  const aGate = () => {
    const words = createWordList(['fool'])
    const passed: object[] = []
    if (!words) throw new Error('no words')
    return { passed, gate: new AnswerGate(words, { pass: (step) => passed.push(step), cut() {} }) }
  }

  it('is not copied with each step', async () => {
    let work = 0
    for (const { gate, passed } of Array.from({ length: 8 }, aGate)) {
      gate.take(text)
      work += await workOf(() => {
        for (let at = 1; at < 10_000; at += 1) gate.take(blank)
      })
      expect(passed).toHaveLength(0)
      gate.end()
      expect(passed).toHaveLength(10_000)
    }
    expect(work).toBeLessThan(LITTLE)
  })

  it('is not delayed without a limit', () => {
    const { gate } = aGate()
    gate.take(text)
    expect(() => {
      for (let at = 0; at < 10_000; at += 1) gate.take(blank)
    }).toThrow(LineTooLong)
    const other = aGate().gate
    other.take(text)
    other.take({ ...blank, size: 49 * 1024 * 1024 })
    expect(() => other.take(blank)).toThrow(LineTooLong)
  })
})

describe('an event that is read for blocked words', () => {
  const feed = (pieces: EventPieces, text: string) => pieces.feed(Buffer.from(text))

  it('has its lines above the data read once', async () => {
    const pieces = new EventPieces()
    let cut = 0
    const work = await workOf(() => {
      for (let at = 0; at < 4000; at += 1) cut += feed(pieces, ':\n').length
    })
    expect(work).toBeLessThan(LITTLE)
    expect(cut).toBe(0)
    expect(feed(pieces, 'event: a\nda')).toHaveLength(0)
    const [piece, ...others] = feed(pieces, 'ta: 1\n\n')
    expect(piece).toMatchObject({ above: 8009, payload: '1' })
    expect(piece?.raw.toString()).toMatch(/^(:\n){4000}event: a\ndata: 1\n$/)
    expect(others.map(({ raw }) => raw.toString())).toEqual(['\n'])
    expect(feed(pieces, 'id: 2\ndata: 2\n')).toMatchObject([{ above: 6, payload: '2' }])
  })

  it('has its data read once', async () => {
    const pieces = new EventPieces()
    let cut = 0
    const work = await workOf(() => {
      cut += feed(pieces, `id: 1\ndata:[${'0,'.repeat(20_000)}\n`).length
      for (let at = 0; at < 1000; at += 1) cut += feed(pieces, 'data:0,\n').length
    })
    expect(work).toBeLessThan(LITTLE)
    expect(cut).toBe(0)
    expect(feed(pieces, 'data:0]\n')).toHaveLength(0)
    expect(feed(pieces, '\n')).toMatchObject([{ above: 6 }, { payload: undefined }])
  })
})

describe('an event whose data comes line by line', () => {
  const [first, line] = [Buffer.from(`data:[${'0,'.repeat(20_000)}\n`), Buffer.from('data:0,\n')]
  const end = [Buffer.from('data:0]\n'), Buffer.from('\n')]

  it('is not read with each line', async () => {
    const frames = dataFrames()
    let cut = 0
    const work = await workOf(() => {
      frames.feed(first)
      for (let at = 0; at < 1000; at += 1) cut += frames.feed(line).length
    })
    expect(work).toBeLessThan(LITTLE)
    expect(cut).toBe(0)
    expect(end.flatMap((bytes) => frames.feed(bytes))).toHaveLength(1)
  })

  it("is not read with each line of Zhipu's", async () => {
    const frames = createFrameReader()
    const lines = Buffer.from('data:0\r\n'.repeat(20_000))
    let cut = 0
    const work = await workOf(() => {
      frames.feed(lines)
      for (let at = 0; at < 4000; at += 1) cut += frames.feed(line).length
    })
    expect(work).toBeLessThan(LITTLE)
    expect(cut).toBe(0)
    expect(['\r', '\n\n'].flatMap((text) => frames.feed(Buffer.from(text)))).toHaveLength(1)
  })
})

it('log probabilities that no text follows are not copied with each event', async () => {
  const scores = (count: number) => {
    const tokens = Array.from({ length: count }, () => ({ token: 'a', logprob: -1, top: [] }))
    return { type: 'logprobs', choice: 0, tokens } as const
  }
  const encoder = codecs.openai.encodeStream(FRAME)
  const [first, next] = [scores(30_000), scores(1)]
  encoder.add(first)
  const work = await workOf(() => {
    for (let at = 0; at < 1500; at += 1) encoder.add(next)
  })
  expect(work).toBeLessThan(LITTLE)
  expect(encoder.add({ type: 'text', choice: 0, text: 'a' }).split('"token"')).toHaveLength(31_501)
  expect([first, next].map(({ tokens }) => tokens.length)).toEqual([30_000, 1])
})

it("sources of Gemini's that are named very often are looked at a few times", async () => {
  const { payload } = decoderOf('gemini')
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: `https://a.example/${'u'.repeat(8000)}`, title: 'A' } }],
    groundingSupports: [{ segment: { text: 'q'.repeat(4000) }, groundingChunkIndices: Array(40_000).fill(0) }],
  }
  const wire = JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, groundingMetadata }] })
  let cited = 0
  const work = await workOf(() => {
    cited = payload(wire).filter(({ type }) => type === 'citation').length
  })
  expect(cited).toBe(1)
  expect(work).toBeLessThan(LITTLE)
})

describe('generated ids of calls without one', () => {
  const id = 'i'.repeat(256 * 1024)
  const calls = Array.from({ length: 1000 }, (_, index) => ({ index, function: { name: 'f', arguments: '{}' } }))

  it("are made of a part of the answer's", async () => {
    const { payload } = decoderOf('openai')
    payload(JSON.stringify({ id, choices: [{ index: 0, delta: {} }] }))
    const wire = JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] })
    const work = await workOf(() => expect(payload(wire)).toHaveLength(1000))
    expect(work).toBeLessThan(LITTLE)
  })

  it("are made of a part of the answer's by Cohere", async () => {
    const tool_calls = calls.map(() => ({ name: 'f', parameters: {} }))
    const wire = { generation_id: id, text: '', tool_calls }
    const work = await workOf(() => expect(decodeCohere(wire)).toHaveLength(1002))
    expect(work).toBeLessThan(LITTLE)
  })
})

it("a long id of a tool of Gemini's is not repeated with each page that it opened", () => {
  const { payload } = decoderOf('gemini')
  const encoder = codecs.anthropic.encodeStream(FRAME)
  const args = { urls: Array.from({ length: 110 }, (_, at) => `https://a.example/${at}`) }
  const toolCall = { id: 'i'.repeat(20_000), toolType: 'URL_CONTEXT', args }
  const wire = JSON.stringify({ candidates: [{ content: { parts: [{ toolCall }] } }] })
  const written = payload(wire).map((event) => encoder.add(event))
  expect(written.join('').match(/"name":"web_fetch"/g)).toHaveLength(100)
  expect(written.join('').length).toBeLessThan(10 * wire.length)
})

describe('quotes in a text for a caller of Responses', () => {
  const text = (piece: string) => ({ type: 'text', choice: 0, text: piece }) as const
  const cited = (quote: string) =>
    ({ type: 'citation', choice: 0, url: 'https://a.example/', title: '', quote }) as const
  const placesIn = (written: string) => /"start_index":(\d+),"end_index":(\d+)/.exec(written)?.slice(1).map(Number)

  it('are looked for at the end of the text only', async () => {
    const encoder = codecs.responses.encodeStream(FRAME)
    for (let at = 0; at < 8; at += 1) encoder.add(text('a'.repeat(1024 * 1024)))
    const work = await workOf(() => {
      for (let at = 0; at < 100; at += 1) encoder.add(text('b')) + encoder.add(cited('bc'))
    })
    expect(work).toBeLessThan(LITTLE)
    const end = 8 * 1024 * 1024 + 100
    expect(placesIn(encoder.add(cited('bbb')))).toEqual([end - 3, end])
  })

  it.each([
    ['aab', 'aaab aab', 5],
    ['abab', 'abababab', 4],
    ['aa', 'aaa', 1],
    ['abcd', 'abc', 3],
    ['é😀', 'é😀é😀', 3],
  ])('%s is located in %s at its last position', (quote, said, place) => {
    const encoder = codecs.responses.encodeStream(FRAME)
    encoder.add(text(said))
    expect(placesIn(encoder.add(cited(quote)))?.[0]).toBe(place)
  })

  it('cost no more where they almost match everywhere', async () => {
    const encoder = codecs.responses.encodeStream(FRAME)
    encoder.add(text('a'.repeat(64 * 1024)))
    const work = await workOf(() => {
      for (let at = 0; at < 20; at += 1) encoder.add(cited(`${'a'.repeat(4000)}b`))
    })
    expect(work).toBeLessThan(LITTLE)
  })
})

describe('long ids of calls', () => {
  it('are not repeated with each signature', () => {
    const { payload } = decoderOf('openai')
    const encoder = codecs.responses.encodeStream(FRAME)
    const id = 'i'.repeat(10_000)
    let [read, written] = [0, 0]
    for (let at = 0; at < 100; at += 1) {
      const call = { function: { name: 'f', arguments: '1' }, extra_content: { google: { thought_signature: 's' } } }
      const tool_calls = [{ index: 0, ...(at === 0 && { id }), ...call }]
      const wire = JSON.stringify({ choices: [{ index: 0, delta: { tool_calls } }] })
      read += wire.length
      for (const event of payload(wire)) written += encoder.add(event).length
    }
    written += encoder.end(usageOf({ prompt: 1, completion: 1 })).length
    expect(written).toBeLessThan(10 * read)
  })

  const id = 'i'.repeat(100_000)
  it.each([
    ['openai', { choices: [{ index: 0, delta: { tool_calls: [{ id, function: { name: 'f' } }] } }] }],
    ['anthropic', { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: 'f' } }],
    ['gemini', { candidates: [{ content: { parts: [{ functionCall: { id, name: 'f', args: {} } }] } }] }],
    ['responses', { type: 'response.output_item.added', item: { type: 'function_call', call_id: id, name: 'f' } }],
  ] as const)('are hashed where they are longer than any: %s', (format, wire) => {
    const [call] = decoderOf(format)
      .payload(JSON.stringify(wire))
      .filter(({ type }) => type === 'tool')
    expect(call).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{64}$/) })
  })
})

describe('the text of a stream that is rewritten', () => {
  const text = 'a'.repeat(1024 * 1024)
  const decoder = { payload: () => [{ type: 'text', choice: 0, text } as const] }
  const encoder = { add: () => '', end: () => '' }
  const codec = { ...codecs.responses, decodeStream: () => decoder, encodeStream: () => encoder }
  const words = createWordList(['fool'])
  const guard = { words: words as NonNullable<typeof words>, note() {} }
  const tap = () => ({ ...createEventTap('m'), take() {} })
  const untouchedTap = () => ({ ...createTap('m'), payload: () => false })

  it.each([
    ['in another dialect', () => translation(decoder, encoder, tap())],
    ['of a stream of its own kind', () => framedTranslation(dataFrames(), decoder, encoder, tap())],
    [
      'in another dialect, read for words',
      () => guardedTranslated(guard, codec, codec, FRAME, tap(), new AnswerBudget()).transform,
    ],
    [
      'in its own, read for words',
      () =>
        guardedUntouched(guard, codec, FRAME, untouchedTap(), {
          dropUsage: false,
          scrub: String,
          budget: new AnswerBudget(),
        }).transform,
    ],
  ])('is buffered up to a bound: %s', (_, aStream) => {
    const stream = aStream()
    const feed = () => stream.feed(Buffer.from('data: {}\n\n'))
    for (let at = 0; at < 16; at += 1) feed()
    expect(feed).toThrow(LineTooLong)
  })
})

/** Decodes a stream of that dialect, payload by payload. */
function decoderOf(format: keyof typeof codecs) {
  const decoder = codecs[format].decodeStream()
  return { payload: (text: string) => decoder.payload(text) }
}
