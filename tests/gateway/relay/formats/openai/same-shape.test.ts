import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeStream } from '../../../../../gateway/relay/formats/openai/answer-in.ts'

const chunk = (content: unknown, more: object = {}, choice: object = {}) =>
  JSON.stringify({
    id: 'c',
    model: 'm',
    choices: [{ index: 0, delta: { content }, finish_reason: null, ...choice }],
    ...more,
  })

/** The events of a stream, with each chunk decoded on its own. */
const apart = (payloads: readonly string[]) =>
  payloads.flatMap((payload) =>
    decodeStream()
      .payload(payload)
      .filter(({ type }) => type !== 'start'),
  )
const together = (payloads: readonly string[]) => {
  const decoder = decodeStream()
  return payloads.flatMap((payload) => decoder.payload(payload).filter(({ type }) => type !== 'start'))
}

describe('chunks that differ only in their text', () => {
  it('mean the same read one by one and in a row, for any texts', () => {
    const texts = fc.array(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '","x":"')),
    )
    fc.assert(
      fc.property(texts, (all) => {
        const payloads = all.map((text) => chunk(text))
        expect(together(payloads)).toEqual(apart(payloads))
      }),
    )
  })

  it('are distinguished from chunks with further content', () => {
    const payloads = [
      chunk('one'),
      chunk('two'),
      chunk('three', {}, { finish_reason: 'stop' }),
      chunk('four', { usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      chunk('five', {}, { index: 1 }),
      chunk('six', {}, { index: 1 }),
      chunk('seven', { error: { message: 'no' } }),
      chunk(null),
      chunk('eight'),
    ]
    expect(together(payloads)).toEqual(apart(payloads))
  })
})
