import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineReader } from '../../../../gateway/relay/formats/sse.ts'
import { createTap } from '../../../../gateway/relay/metering/usage-tap.ts'

const event = (delta: object, more: object = {}) => ({
  id: 'c',
  object: 'chunk',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...more,
})
const events = fc.oneof(
  { weight: 6, arbitrary: fc.string().map((content) => event({ content })) },
  fc.string({ unit: 'grapheme' }).map((content) => event({ content, role: 'assistant' })),
  fc.string().map((reasoning_content) => event({ content: null, reasoning_content })),
  fc.string().map((text) => event({ content: text }, { obfuscation: text })),
  fc.constant(event({}, { usage: null })),
  fc.constant({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
)

function read(bytes: Buffer, cuts: readonly number[], withPattern: boolean) {
  const tap = createTap('gpt-4o')
  const reader = createLineReader(
    (payload) => (tap.payload(payload) ? 'drop' : 'keep'),
    withPattern ? tap.plain : undefined,
  )
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  const out = places.slice(1).map((end, index) => reader.feed(bytes.subarray(places[index], end)))
  return {
    out: Buffer.concat([...out, reader.end()]).toString('utf8'),
    usage: tap.usage(() => 0),
    finished: tap.observed.finished,
    produced: tap.produced(),
  }
}

describe('events that differ only in their text', () => {
  it('are counted without being parsed exactly as if they had been, however the stream is cut', () => {
    const stream = fc.array(events, { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 5 }), fc.boolean(), (list, cuts, crlf) => {
        const text = `${list.map((one) => `data: ${JSON.stringify(one)}${crlf ? '\r\n\r\n' : '\n\n'}`).join('')}data: [DONE]\n\n`
        expect(read(Buffer.from(text), cuts, true)).toEqual(read(Buffer.from(text), [], false))
      }),
      { numRuns: 500 },
    )
  })

  it('never match an event that only looks similar', () => {
    const first = `data: ${JSON.stringify(event({ content: 'a' }))}\n\n`
    const [opening = '', closing = ''] = first.split('"a"')
    const tricky = `${opening}"b"},"finish_reason":"stop"}],"x":[{"y":{"z":"c"${closing}`
    const { finished } = read(Buffer.from(first + tricky), [first.length], true)
    expect(finished).toBe(true)
  })

  const long = 'word '.repeat(20)
  const choice = (delta: string, more = '') => `"choices":[{"index":0,"delta":{${delta}}${more}}]`
  it.each([
    [
      'the same text before its choices',
      (text: string) => `{"x":{"content":"${text}"},${choice(`"content":"${long}"`)}}`,
    ],
    ['its text twice', (text: string) => `{${choice(`"content":"${text}","content":"${long}"`)}}`],
    ['its text twice, once escaped', (text: string) => `{${choice(`"content":"${text}","c\\u006fntent":"${long}"`)}}`],
    ['a text beside its delta', (text: string) => `{${choice(`"content":"${text}"`, `,"text":"${long}"`)}}`],
  ])('count the same as every reader in an event that has %s', (_, eventOf) => {
    const texts = [long, '', 'a', '', 'b']
    const bytes = Buffer.from(texts.map((text) => `data: ${eventOf(text)}\n\n`).join(''))
    expect(read(bytes, [], true)).toEqual(read(bytes, [], false))
  })
})
