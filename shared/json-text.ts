/** A position in a text; line and column count from 1. */
export type TextPosition = Readonly<{ line: number; column: number }>

/** Member names and list indices, from the outside in. */
type JsonPath = readonly (string | number)[]

/** Valid JSON that no setting allows. */
export type JsonFlaw = Readonly<{
  kind: 'duplicate' | 'forbidden' | 'deep' | 'signs'
  name: string
  position: TextPosition
}>

export const MAX_JSON_DEPTH = 32

/**
 * Where a text stops being valid JSON; the position after its last character if something is missing, or if it is
 * valid.
 */
export const brokenPosition = (text: string): TextPosition =>
  positionAt(
    text,
    walk(text, () => true),
  )

/** The start of the value at a path, or of the text if there is none. Of repeated members, the last one is used. */
export function positionOf(text: string, path: JsonPath): TextPosition {
  let offset = 0
  walk(text, ({ nest, isKey, start }) => {
    if (!isKey && nest.length === path.length && nest.every((frame, at) => stepOf(frame) === path[at])) offset = start
    return true
  })
  return positionAt(text, offset)
}

/**
 * The first flaw of a JSON text: a duplicate member, of which one would be lost, a member named `__proto__`, too deep
 * nesting, or characters that the tables cannot store.
 */
export function flawIn(text: string): JsonFlaw | undefined {
  let flaw: JsonFlaw | undefined
  const seen: Set<string>[] = []
  walk(text, ({ nest, isKey, start, token }) => {
    const kind = kindOfFlaw({ nest, isKey, token }, seen)
    if (kind) flaw = { kind, name: isKey ? textOf(token) : '', position: positionAt(text, start) }
    return kind === undefined
  })
  return flaw
}

/** Whether the tables can store a text unchanged: no lone surrogates, and no NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

type Frame = { open: '{' | '['; key: string; index: number }
type FoundToken = Readonly<{ nest: readonly Frame[]; isKey: boolean; token: string }>

function kindOfFlaw({ nest, isKey, token }: FoundToken, seen: Set<string>[]): JsonFlaw['kind'] | undefined {
  if (nest.length >= MAX_JSON_DEPTH) return 'deep'
  seen.length = Math.min(seen.length, nest.length)
  if (token === '{' && !isKey) seen[nest.length] = new Set()
  if (!token.startsWith('"')) return undefined
  const text = textOf(token)
  if (!isStorable(text)) return 'signs'
  if (!isKey) return undefined
  if (text === '__proto__') return 'forbidden'
  const names = seen[nest.length - 1]
  if (names?.has(text)) return 'duplicate'
  names?.add(text)
  return undefined
}

/** The string value of a JSON token. */
const textOf = (token: string): string => (token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)) // the token is a string of JSON

const stepOf = (frame: Frame): string | number => (frame.open === '{' ? frame.key : frame.index)

/** One token of JSON, or the space between two. */
const pattern =
  /\s+|[{}[\],:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

/** What may follow a token: `value` is any value, `more` a comma, `end` a closing bracket. */
type Expected = 'value' | 'key' | 'colon' | 'more' | 'end'

/**
 * Walks a text without recursion, however deeply nested it is, and reports each member name and the start of each
 * value. Returns the offset at which it stopped: where `onFound` returned false, where the text is not valid JSON, or
 * the text's end.
 */
function walk(text: string, onFound: (found: FoundToken & Readonly<{ start: number }>) => boolean): number {
  const nest: Frame[] = []
  let expected: readonly Expected[] = ['value']
  let at = 0
  while (at < text.length) {
    pattern.lastIndex = at
    const [token] = pattern.exec(text) ?? []
    if (token === undefined) return at
    const start = at
    at += token.length
    if (token.trim() === '') continue
    const isKey = expected.includes('key') && token.startsWith('"')
    if (isKey) keyOf(nest, token)
    const isValue = expected.includes('value') && !/^[}\],:]/.test(token)
    if ((isKey || isValue) && !onFound({ nest, isKey, token, start })) return start
    const next = after(token, expected, nest)
    if (!next) return start
    expected = next
  }
  return text.length
}

function keyOf(nest: readonly Frame[], token: string): void {
  const frame = nest.at(-1)
  if (frame) frame.key = textOf(token)
}

/** What may follow a token, or undefined if the token itself is not expected. Updates the nesting. */
function after(token: string, expected: readonly Expected[], nest: Frame[]): readonly Expected[] | undefined {
  const inside = nest.at(-1)
  if (token === '}' || token === ']') {
    if (!expected.includes('end') || inside?.open !== (token === '}' ? '{' : '[')) return undefined
    nest.pop()
    return ended(nest)
  }
  if (token === ',') {
    if (!expected.includes('more') || !inside) return undefined
    inside.index += 1
    return [inside.open === '{' ? 'key' : 'value']
  }
  if (token === ':') return expected.includes('colon') ? ['value'] : undefined
  if (expected.includes('key')) return token.startsWith('"') ? ['colon'] : undefined
  if (!expected.includes('value')) return undefined
  if (token !== '{' && token !== '[') return ended(nest)
  nest.push({ open: token, key: '', index: 0 })
  return [token === '{' ? 'key' : 'value', 'end']
}

const ended = (nest: readonly Frame[]): readonly Expected[] => (nest.length === 0 ? [] : ['more', 'end'])

function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
