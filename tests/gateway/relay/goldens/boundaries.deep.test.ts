import { describe, expect, it } from 'vitest'
import { type Format, formats } from '../../../../gateway/relay/formats/format.ts'
import { createLineReader } from '../../../../gateway/relay/formats/sse.ts'
import { tapFor, untouched as tapped } from '../../../../gateway/relay/transforms/stream-transforms.ts'
import { directionsOf, pairs, type StreamGolden } from './golden.ts'
import { aSetOfCodecs } from './replay-answer.ts'
import { sent, translatedText } from './replay-stream.ts'
import { streamGoldens } from './streams/index.ts'

const goldens = Object.values(streamGoldens).flat()

/** The stream as its vendor sends it, and as a proxy may have rewritten it: with other line ends, and with comments. */
const wires = (golden: StreamGolden, format: Format): readonly Buffer[] => {
  const text = sent(golden.forms[format] ?? [], format)
  return [text, `: hello\n\n${text.replaceAll('\n', '\r\n')}`, text.trimEnd()].map((each) => Buffer.from(each))
}

/** The byte positions at which splitting a stream changes the result. */
function tornAt(wire: Buffer, read: (pieces: readonly Buffer[]) => string): readonly number[] {
  const whole = read([wire])
  const places = Array.from({ length: Math.max(wire.length - 1, 0) }, (_, n) => n + 1)
  return places.filter((at) => read([wire.subarray(0, at), wire.subarray(at)]) !== whole)
}

const slices = (wire: Buffer, length: number): readonly Buffer[] =>
  Array.from({ length: Math.ceil(wire.length / length) }, (_, n) => wire.subarray(n * length, (n + 1) * length))

/** The payloads read from a stream. */
function payloads(pieces: readonly Buffer[]): readonly string[] {
  const read: string[] = []
  const reader = createLineReader((payload) => {
    read.push(payload)
    return 'keep'
  })
  for (const piece of pieces) reader.feed(piece)
  reader.end()
  return read
}

/** The output of a stream relayed in its own dialect, and the usage that the tap observes. */
function untouched(format: Format, pieces: readonly Buffer[]): string {
  const tap = tapFor(aSetOfCodecs(), format, 'a-model')
  const { transform } = tapped(tap, false, (payload) => payload)
  const bytes = [...pieces.map((piece) => transform.feed(piece)), transform.end()].map((piece) => Buffer.from(piece))
  const { observed: seen } = tap
  return JSON.stringify({
    bytes: Buffer.concat(bytes).toString(),
    seen,
    usage: tap.usage(() => 12),
    made: tap.produced(),
  })
}

describe.each(formats)('a stream of %s', (format) => {
  const said = goldens.filter((golden) => golden.forms[format] !== null)

  it.each(said)('is read as the same events for any split: $feature', (golden) => {
    for (const wire of wires(golden, format)) {
      const whole = payloads([wire])
      expect(whole.length).toBeGreaterThan(0)
      expect(tornAt(wire, (pieces) => JSON.stringify(payloads(pieces)))).toEqual([])
      expect(payloads(slices(wire, 1))).toEqual(whole)
    }
  })

  it.each(said)('passes untouched and is metered the same for any split: $feature', (golden) => {
    for (const wire of wires(golden, format)) {
      const whole = untouched(format, [wire])
      expect(JSON.parse(whole)).toMatchObject({ bytes: wire.toString(), seen: { finished: true } })
      expect(untouched(format, slices(wire, 1))).toBe(whole)
    }
    // Only OpenAI's tap reads the bytes between payloads; others get only the payloads, which are the same.
    const [wire = Buffer.alloc(0)] = format === 'openai' ? wires(golden, format) : []
    expect(tornAt(wire, (pieces) => untouched(format, pieces))).toEqual([])
  })
})

describe('a converted stream', () => {
  it.each(pairs)('$pair: is the same for pieces of any length', ({ from, to }) => {
    for (const golden of goldens.filter((one) => directionsOf(one).some((way) => way.from === from && way.to === to)))
      for (const wire of wires(golden, from)) {
        const whole = translatedText(golden, from, to, [wire])
        for (const length of [1, 7, 64]) expect(translatedText(golden, from, to, slices(wire, length))).toBe(whole)
      }
  })

  it.each(pairs)('$pair: is the same for a split at any byte', ({ from, to }) => {
    const [golden] = goldens.filter(({ feature }) => feature === 'Tool call')
    if (!golden) throw new Error('no stream golden "Tool call"')
    const wire = Buffer.from(sent(golden.forms[from] ?? [], from))
    expect(tornAt(wire, (pieces) => translatedText(golden, from, to, pieces))).toEqual([])
  })
})
