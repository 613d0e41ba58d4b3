/** Where a text stops being JSON, both counted from 1. */
export type JsonProblem = Readonly<{ line: number; column: number }>

/** Reads JSON: its value, or where it breaks. Browsers word and place the same error differently; this says it in one way. */
export function readJson(text: string): { value: unknown } | { problem: JsonProblem } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: placeIn(text, brokenAt(text)) }
    throw error
  }
}

/** One token of JSON, or the space between two. */
const token =
  /\s+|[{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** What a token may be followed by: `value` stands for any scalar, `text` for a string. */
type Expected = 'value' | 'key' | 'colon' | 'more' | 'end'

/** The offset of the first token that does not belong where it stands, or the end when something is missing. */
function brokenAt(text: string): number {
  const nest: string[] = []
  let expected: readonly Expected[] = ['value']
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const start = token.lastIndex
    const [found] = token.exec(text) ?? []
    if (found === undefined) return start
    if (found.trim() === '') continue
    const next = after(found, expected, nest)
    if (!next) return start
    expected = next
  }
  return text.length
}

/** What may come after a token, or undefined when the token itself may not come. Opens and closes the nest on its way. */
function after(found: string, expected: readonly Expected[], nest: string[]): readonly Expected[] | undefined {
  const inside = nest.at(-1)
  const ended = (): readonly Expected[] => (nest.length === 0 ? [] : ['more', 'end'])
  if (found === '}' || found === ']') {
    if (!expected.includes('end') || inside !== (found === '}' ? '{' : '[')) return undefined
    nest.pop()
    return ended()
  }
  if (found === ',') return expected.includes('more') ? [inside === '{' ? 'key' : 'value'] : undefined
  if (found === ':') return expected.includes('colon') ? ['value'] : undefined
  if (expected.includes('key')) return found.startsWith('"') ? ['colon'] : undefined
  if (!expected.includes('value')) return undefined
  if (found !== '{' && found !== '[') return ended()
  nest.push(found)
  return [found === '{' ? 'key' : 'value', 'end']
}

function placeIn(text: string, offset: number): JsonProblem {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}
