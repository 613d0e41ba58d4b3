import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { partSeal } from '../../../../../gateway/relay/formats/sealed-part.ts'
import { aCodec, frame, heard, meaning, someUsage, streamed, whole } from './wire.ts'

const read = (wire: unknown) => aCodec().decodeAnswer(wire)
const candidate = (parts: unknown[], more: object = {}) => ({ content: { role: 'model', parts }, index: 0, ...more })

describe('reading a Gemini answer (docs/reference/conversion.md#gemini-to-openai)', () => {
  const documented = {
    candidates: [
      candidate(
        [
          { text: 'Let me think', thought: true },
          { text: 'It is ', thoughtSignature: 'c2ln' },
          { text: 'warm' },
          { functionCall: { name: 'weather', args: { city: 'Zürich' } }, thoughtSignature: 'Y2FsbA==' },
        ],
        { finishReason: 'STOP' },
      ),
    ],
    usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 5, thoughtsTokenCount: 20, totalTokenCount: 33 },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'abc',
  }
  const events = [
    { type: 'start', id: 'abc', model: 'gemini-2.5-flash' },
    { type: 'reasoning', choice: 0, text: 'Let me think' },
    { type: 'reasoning', choice: 0, text: '', signature: { by: 'gemini', value: 'c2ln' }, redacted: true },
    { type: 'text', choice: 0, text: 'It is ' },
    { type: 'text', choice: 0, text: 'warm' },
    {
      type: 'tool',
      choice: 0,
      call: 0,
      id: 'call_1',
      name: 'weather',
      json: '{"city":"Zürich"}',
      signature: { by: 'gemini', value: 'Y2FsbA==' },
    },
    { type: 'finish', choice: 0, reason: 'tool-calls' },
    { type: 'usage', usage: usageOf({ prompt: 8, completion: 25, reasoning: 20 }) },
  ]

  it('gives the same events whole and streamed', () => {
    expect(read(documented)).toEqual(events)
    const { candidates, ...rest } = documented
    const parts = candidates[0]?.content.parts ?? []
    const pieces = parts.map((part) => ({
      candidates: [candidate([part])],
      responseId: 'abc',
      modelVersion: rest.modelVersion,
    }))
    expect(heard([...pieces, { ...rest, candidates: [{ finishReason: 'STOP', index: 0 }] }])).toEqual([
      ...events,
      { type: 'done' },
    ])
  })

  it('separates activity of the vendor’s tools from the answer, and counts its search', () => {
    const search = { toolCall: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['x'] } } }
    const found = { toolResponse: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', response: {} }, thoughtSignature: 'c2ln' }
    const call = { functionCall: { name: 'go', args: {} }, thoughtSignature: 'Y2FsbA==' }
    const usageMetadata = { promptTokenCount: 8, candidatesTokenCount: 5, totalTokenCount: 13 }
    const said = read({ candidates: [candidate([search, found, call], { finishReason: 'STOP' })], usageMetadata })
    expect(said).toMatchObject([
      { type: 'start' },
      { type: 'reasoning', text: '', redacted: true, signature: partSeal('gemini', search) },
      { type: 'search', name: 'toolCall', isCovered: true, search: { id: 'a', action: 'search', queries: ['x'] } },
      { type: 'reasoning', text: '', redacted: true, signature: partSeal('gemini', found) },
      { type: 'tool', name: 'go', signature: { value: 'Y2FsbA==' } },
      { type: 'finish', reason: 'tool-calls' },
      { type: 'usage', usage: { webSearches: 1 } },
    ])
    expect(said).toHaveLength(7)
  })

  it('counts the calls of a choice over the whole stream', () => {
    const one = { candidates: [candidate([{ functionCall: { name: 'a', args: {} } }])] }
    const calls = heard([one, one, { candidates: [candidate([], { finishReason: 'STOP' })] }])
    expect(calls).toMatchObject([
      { type: 'start' },
      { call: 0, id: 'call_1' },
      { call: 1, id: 'call_2' },
      { reason: 'tool-calls' },
    ])
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['SOMETHING_NEW', 'SOMETHING_NEW'],
  ])('reads the end %s as %s', (finishReason, reason) => {
    expect(read({ candidates: [candidate([], { finishReason })] })).toContainEqual({
      type: 'finish',
      choice: 0,
      reason,
    })
  })

  it('shows code the vendor ran as fenced text, and pictures as media', () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(1)\n' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png', data: 'BBBB' }, thought: true },
    ]
    expect(read({ candidates: [candidate(parts)] })).toMatchObject([
      { type: 'start' },
      { type: 'text', text: '\n```python\nprint(1)\n```\n' },
      { type: 'text', text: '\n```output\n1\n```\n' },
      { type: 'media', mime: 'image/png', data: 'AAAA' },
      { type: 'extra', name: 'thought' },
    ])
  })

  it('reports a refused prompt and an upstream’s error as errors', () => {
    expect(read({ promptFeedback: { blockReason: 'SAFETY' } })).toContainEqual({
      type: 'error',
      error: expect.objectContaining({ code: 'content_filter', message: expect.stringContaining('SAFETY') }),
    })
    const error = { code: 503, message: 'overloaded', status: 'UNAVAILABLE' }
    expect(heard([[{ error }]])).toEqual([{ type: 'error', error }])
  })

  it('reports each source once, and counts a search', () => {
    const groundingMetadata = {
      webSearchQueries: ['q'],
      groundingChunks: [{ web: { uri: 'https://a.test', title: 'A' } }, { web: { uri: 'https://b.test', title: 'B' } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 3, text: 'yes' }, groundingChunkIndices: [0] }],
    }
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1 }
    const piece = { candidates: [candidate([], { groundingMetadata })], usageMetadata }
    const citations = heard([piece, piece]).filter(({ type }) => type === 'citation')
    expect(citations).toEqual([
      { type: 'citation', choice: 0, url: 'https://a.test', title: 'A', quote: 'yes' },
      { type: 'citation', choice: 0, url: 'https://b.test', title: 'B' },
    ])
    expect(read(piece).at(-1)).toMatchObject({ type: 'usage', usage: { webSearches: 1 } })
  })

  it.each([
    ['each query once, none that is empty', { webSearchQueries: ['a', 'b', 'a', ''] }, 2],
    ['one where only what was found is told', { groundingChunks: [{ web: { uri: 'https://a.test' } }] }, 1],
    ['one for a map', { groundingChunks: [{ maps: { uri: 'https://a.test' } }] }, 1],
    ['none for the caller’s own documents', { groundingChunks: [{ retrievedContext: { uri: 'https://a.test' } }] }, 0],
  ])('counts %s', (_, groundingMetadata, webSearches) => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1 }
    const piece = { candidates: [candidate([], { groundingMetadata })], usageMetadata }
    expect(heard([piece, piece]).findLast(({ type }) => type === 'usage')).toMatchObject({ usage: { webSearches } })
  })

  it('writes as many queries as there are', () => {
    const queries = Array.from({ length: 200_000 }, (_, index) => `q${index}`)
    const search = { id: '', action: 'search', queries, pages: [] } as const
    const events: AnswerEvent[] = [
      { type: 'start' },
      { type: 'search', choice: 0, by: 'responses', name: 'web_search_call', search },
      { type: 'finish', choice: 0, reason: 'stop' },
    ]
    expect(JSON.stringify(whole(events))).toContain('q199999')
  })

  it('never throws, for any upstream response', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        read(value)
        read({ candidates: [value, { content: value, groundingMetadata: value }], usageMetadata: value })
        read({ candidates: [{ content: { parts: [value, { functionCall: value, inlineData: value }] } }] })
        heard([text])
      }),
      { numRuns: 200 },
    )
  })
})

describe('a Gemini usage', () => {
  const usage = (usageMetadata: object) => read({ usageMetadata }).find((event) => event.type === 'usage')?.usage

  it('counts tools, thoughts, cached tokens and kinds', () => {
    expect(
      usage({
        promptTokenCount: 100,
        toolUsePromptTokenCount: 10,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 3,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 70 },
          { modality: 'AUDIO', tokenCount: 20 },
          { modality: 'IMAGE', tokenCount: 10 },
        ],
        candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 5 }],
      }),
    ).toEqual(
      usageOf({
        prompt: 110,
        completion: 10,
        cacheRead: 40,
        reasoning: 3,
        audioInput: 20,
        imageInput: 10,
        audioOutput: 5,
      }),
    )
  })

  it('takes missing figures from the total, and ignores invalid ones', () => {
    expect(usage({ promptTokenCount: 5, totalTokenCount: 12 })).toMatchObject({ prompt: 5, completion: 7 })
    const unexplained = { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 12 }
    expect(usage(unexplained)).toMatchObject({ prompt: 5, completion: 7 })
    expect(usage({ ...unexplained, toolUsePromptTokenCount: 6 })).toMatchObject({ prompt: 11, completion: 1 })
    expect(usage({ promptTokenCount: -5, candidatesTokenCount: '7', totalTokenCount: 1e12 })).toBeUndefined()
  })

  it('is written with the cache included, for either way of counting it', () => {
    const wire = aCodec().encodeAnswer([], frame, {
      ...usageOf({ prompt: 100, cacheRead: 1000, cacheWrite: 200, completion: 50, reasoning: 20 }),
      semantics: 'anthropic',
    })
    expect(wire.usageMetadata).toEqual({
      promptTokenCount: 1300,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 20,
      totalTokenCount: 1350,
      cachedContentTokenCount: 1000,
    })
  })
})

describe('writing a Gemini answer', () => {
  const finish = { type: 'finish', choice: 0, reason: 'tool-calls' } as const
  const piece = (json: string, more: object = {}) => ({ type: 'tool', choice: 0, call: 0, json, ...more }) as const

  it('joins pieces, and ends with STOP for calls', () => {
    const thinking = { by: 'anthropic', value: 'sig' } as const
    const wire = whole([
      { type: 'reasoning', choice: 0, text: 'Hm' },
      { type: 'reasoning', choice: 0, text: 'm', signature: thinking },
      { type: 'text', choice: 0, text: 'He' },
      { type: 'text', choice: 0, text: 'llo' },
      piece('{"a', { id: 'call_9', name: 'f' }),
      piece('":1}'),
      finish,
    ])
    expect(wire).toMatchObject({
      candidates: [
        {
          index: 0,
          finishReason: 'STOP',
          content: {
            role: 'model',
            parts: [
              { text: 'Hmm', thought: true },
              { text: 'Hello' },
              { functionCall: { id: 'call_9', name: 'f', args: { a: 1 } } },
            ],
          },
        },
      ],
      responseId: 'r1',
      modelVersion: 'gemini-pro',
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    })
  })

  it('gives another vendor’s signature to the client so that it comes back unchanged', () => {
    const signature = { by: 'anthropic', value: 'EqQB+/=' } as const
    const wire = whole([
      { type: 'reasoning', choice: 0, text: 'Hm', signature },
      { type: 'reasoning', choice: 0, text: '', signature, redacted: true },
    ])
    const [answer] = wire.candidates as { content: object }[]
    const { turns } = aCodec().decodeRequest({ contents: [answer?.content] }, 'm', false)
    expect(turns[0]?.parts).toEqual([
      { type: 'reasoning', text: 'Hm', signature },
      { type: 'reasoning', text: '', signature, redacted: true },
    ])
    expect(JSON.stringify(answer)).toMatch(/"thoughtSignature":"[A-Za-z0-9+/]+={0,2}"/)
  })

  it('always closes a stream: calls whole, a reason, the usage, no end mark', () => {
    const payloads = streamed([{ type: 'text', choice: 0, text: 'Hi' }, piece('{"a":', { name: 'f' }), piece('1}')])
    expect(payloads.map((payload) => JSON.parse(payload))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
      {
        candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }] }, finishReason: 'STOP' }],
        usageMetadata: { totalTokenCount: 15 },
      },
    ])
    expect(streamed([]).map((payload) => JSON.parse(payload))).toMatchObject([
      { candidates: [{ finishReason: 'STOP' }] },
    ])
  })

  it('puts together arguments cut anywhere, also of calls that interleave', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), fc.nat(), (args, one, other) => {
        const json = JSON.stringify(args)
        const [early, late] = [one % (json.length + 1), other % (json.length + 1)].toSorted((a, b) => a - b)
        const pieces = [json.slice(0, early), json.slice(early, late), json.slice(late)]
        const events: AnswerEvent[] = pieces.flatMap((text, n) =>
          [0, 1].map((index) => piece(text, { call: index, ...(n === 0 && { id: `id${index}`, name: 'f' }) })),
        )
        const calls = [heard(streamed([...events, finish])), read(whole([...events, finish]))]
        for (const answer of calls) {
          const said = answer.flatMap((event) => (event.type === 'tool' ? [{ id: event.id, json: event.json }] : []))
          expect(said.map(({ id }) => id)).toEqual(['id0', 'id1'])
          for (const call of said) expect(JSON.parse(call.json ?? '')).toEqual(JSON.parse(json))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('preserves the meaning of any answer, complete or streamed', () => {
    const word = fc.string({ minLength: 1 })
    const signature = fc.record({
      by: fc.constantFrom('gemini' as const, 'openai' as const),
      value: fc.base64String({ minLength: 4 }),
    })
    const piecesOf = fc.oneof(
      word.map((text): AnswerEvent => ({ type: 'text', choice: 0, text })),
      word.map((text): AnswerEvent => ({ type: 'reasoning', choice: 0, text })),
      fc
        .tuple(word, signature)
        .map(([text, by]): AnswerEvent => ({ type: 'reasoning', choice: 0, text, signature: by })),
      signature.map((by): AnswerEvent => ({ type: 'reasoning', choice: 0, text: '', signature: by, redacted: true })),
      fc.constant<AnswerEvent>({ type: 'media', choice: 0, mime: 'image/png', data: 'AAAA' }),
    )
    fc.assert(
      fc.property(fc.array(piecesOf), fc.constantFrom('stop', 'length', 'filter'), (events, reason) => {
        const all: AnswerEvent[] = [...events, { type: 'finish', choice: 0, reason }]
        expect(meaning(read(whole(all)))).toEqual(meaning(all))
        expect(meaning(heard(streamed(all)))).toEqual([...meaning(all), { type: 'done' }])
        expect(read(whole(all)).at(-1)).toEqual({ type: 'usage', usage: someUsage })
      }),
      { numRuns: 200 },
    )
  })
})
