import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUnwrapper, WRAPPING } from '../../../../gateway/relay/transforms/unwrapped-json.ts'

const indents = fc.constantFrom(0, 2, '\t')
const cuts = fc.array(fc.nat(60), { maxLength: 8 })

/** The output for a text that arrives in pieces of the given lengths. */
function unwrapped(text: string, lengths: readonly number[]): string {
  const unwrapper = createUnwrapper()
  let at = 0
  let said = ''
  for (const length of lengths) {
    said += unwrapper.feed(text.slice(at, at + length))
    at += length
  }
  return said + unwrapper.feed(text.slice(at)) + unwrapper.end()
}

describe('JSON as the one member of an object (docs/reference/conversion.md#structured-output)', () => {
  it('comes out as its value, however it is written and cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), indents, cuts, (value, indent, lengths) => {
        const text = JSON.stringify({ [WRAPPING]: value }, null, indent)
        expect(JSON.parse(unwrapped(text, lengths))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('comes out behind any number of pieces of white space', () => {
    const blanks = Array.from({ length: 200_000 }, () => 1)
    const text = `{"${WRAPPING}":${' '.repeat(200_000)}[1, 2]}`
    expect(unwrapped(text, [WRAPPING.length + 4, ...blanks])).toBe('[1, 2]')
  })

  it('passes unchanged where it is not wrapped', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), indents, cuts, (value, indent, lengths) => {
        const text = JSON.stringify({ other: value }, null, indent)
        expect(unwrapped(text, lengths)).toBe(text)
        const bare = JSON.stringify([value], null, indent)
        expect(unwrapped(bare, lengths)).toBe(bare)
      }),
    )
  })

  it('leaves out everything after it, and passes truncated JSON', () => {
    expect(unwrapped('{"answer": [1], "note": {"a": "]"}} and more', [])).toBe('[1]')
    expect(unwrapped('{"answer": [1, {"b": "}', [12, 3])).toBe('[1, {"b": "}')
    expect(unwrapped('{"ans', [])).toBe('{"ans')
    expect(unwrapped('', [])).toBe('')
  })
})
