import { percentDecoded } from '../../base/bytes/percent.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject } from '../../base/json/json.ts'
import type { Call } from '../model/call.ts'
import type { RequestContext } from '../model/request-context.ts'

export type SentText = Readonly<{
  call: Pick<Call, 'bytes' | 'json' | 'form'>
  context: Pick<RequestContext, 'request' | 'path' | 'query'>
}>

/** Characters searched before yielding to the event loop: a few milliseconds. */
const PIECE = 65_536

/**
 * Whether each of these words occurs in the request, in any letter case, even if spaced, escaped or split over
 * consecutive pieces. Reads the whole request, so only call it if the result matters.
 */
export async function wereAllSent({ call, context }: SentText, words: readonly string[]): Promise<boolean> {
  const missing = new Set(words.map(plain))
  const { request, path, query } = context
  const address = `${path}?${query}`
  const sources = [
    () => textsIn(call.json),
    () => [call.bytes.toString()],
    () => [address, percentDecoded(address.replaceAll('+', ' ')), ...request.rawHeaders],
    () => textsOf(call.form ?? []),
  ]
  for (const source of sources) {
    await take(missing, source())
    if (missing.size === 0) return true
  }
  return false
}

/** Removes the words that occur in these consecutive texts from `missing`. */
async function take(missing: Set<string>, texts: Iterable<string>): Promise<void> {
  const longest = Math.max(...Array.from(missing, ({ length }) => length))
  let before = ''
  for (const piece of piecesOf(texts)) {
    const text = before + plain(unescaped(piece))
    for (const words of missing) if (text.includes(words)) missing.delete(words)
    if (missing.size === 0) return
    before = text.slice(-longest)
    await yieldToOthers()
  }
}

/** The concatenated texts in pieces, which never split an escape or a character. */
function* piecesOf(texts: Iterable<string>): Generator<string> {
  let rest = ''
  for (const text of texts) {
    rest += ` ${text}`
    while (rest.length > PIECE) {
      const end = cutIn(rest)
      yield rest.slice(0, end)
      rest = rest.slice(end)
    }
  }
  yield rest
}

function cutIn(text: string): number {
  const start = text.lastIndexOf('\\', PIECE - 1)
  if (start > PIECE - '\\u0000'.length) return start
  return /[\ud800-\udbff]/.test(text.charAt(PIECE - 1)) ? PIECE - 1 : PIECE
}

/**
 * Letters and digits only, so that neither spaces nor punctuation hide a word; text of punctuation only is unchanged.
 */
function plain(text: string): string {
  // Normalizing sorts combining marks, in quadratic time: at most 30 may follow a letter (Unicode Standard Annex #15,
  // "Stream-Safe Text Format").
  const folded = text.replace(MANY_MARKS, '$1').normalize('NFKC').toLowerCase()
  return folded.replace(/[^\p{L}\p{N}]+/gu, '') || folded
}

const MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/** Unescapes JSON within JSON, whose escapes are still there after the outer parse. */
const unescaped = (text: string): string =>
  text.replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const inner of value) yield* textsIn(inner)
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) {
      yield name
      yield* textsIn(inner)
    }
}

function* textsOf(form: NonNullable<Call['form']>): Generator<string> {
  for (const { name, fileName, type, bytes } of form) yield* [name, fileName ?? '', type, bytes.toString()]
}
