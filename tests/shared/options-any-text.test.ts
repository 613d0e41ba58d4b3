import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMessage } from '../../shared/messages/format.ts'
import { decodeOption, encodeOption, type OptionKey, optionKeys } from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'

/** Names that objects inherit, and names in the shapes of options. */
const name = fc.constantFrom(
  'default',
  'a',
  'b,c',
  '',
  '__proto__',
  'constructor',
  'toString',
  'name',
  'type',
  '\ud800',
  'x\0',
)
const leaf = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.webUrl(),
  name,
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}))
/** JSON texts, complete, cut and with a duplicate member, and any other text. */
const text = fc.oneof(
  value.map((one) => JSON.stringify(one) ?? ''),
  fc.tuple(value, fc.nat(30)).map(([one, end]) => (JSON.stringify(one) ?? '').slice(0, end)),
  value.map((one) => `{"a":${JSON.stringify(one) ?? 0},\n"a":1,"__proto__":{"polluted":true}}`),
  leaf.map(String),
  fc.string({ unit: 'binary' }),
)

/** Stores a text, or returns the refusal with all parameters filled in. */
function outcomeOf(key: OptionKey, raw: string): string | undefined {
  try {
    return encodeOption(key, decodeOption(key, raw))
  } catch (error) {
    if (!(error instanceof OptionRefusal)) throw error
    for (const locale of ['en', 'zh'] as const)
      expect(formatMessage(locale, error.key, { ...error.params, name: 'N' })).not.toMatch(
        /\{(min|max|name|values|key)\}|undefined/,
      )
    const { line, column } = error.position ?? { line: 1, column: 1 }
    const lines = raw.split('\n')
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
    return undefined
  }
}

it.each(optionKeys)(
  '%s accepts any text and stores it, or refuses it with a message (docs/reference/options.md#refusals)',
  (key) => {
    fc.assert(
      fc.property(text, (raw) => {
        const taken = outcomeOf(key, raw)
        if (taken === undefined) return
        expect(outcomeOf(key, taken), 'what was taken is taken again as it is').toBe(taken)
        expect(taken.isWellFormed() && !taken.includes('\0')).toBe(true)
        expect('polluted' in {}).toBe(false)
      }),
      { numRuns: 60 },
    )
  },
)
