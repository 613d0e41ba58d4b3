import { isObject } from '../../base/json.ts'
import { percentDecoded } from '../../base/percent.ts'
import type { Call } from '../model/call.ts'
import type { RequestContext } from '../model/request-context.ts'

/** What of a request a vendor may echo: its body, its headers, its address. */
export type SentText = Readonly<{
  call: Pick<Call, 'bytes' | 'json' | 'form'>
  context: Pick<RequestContext, 'request' | 'path' | 'query'>
}>

/**
 * Whether these words occur in what the caller sent, however they are written there: in any case, spaced or escaped, in
 * pieces that follow each other. Reads the whole request, so ask it only once something hangs on the answer.
 */
export function wasSent({ call, context }: SentText, words: string): boolean {
  const wanted = plain(words)
  const { request, path, query } = context
  const address = `${path}?${query}`
  const files = (call.form ?? []).flatMap(({ name, fileName, type, bytes }) => [
    name,
    fileName ?? '',
    type,
    bytes.toString(),
  ])
  const places = [
    () => textsIn(call.json).join(' '),
    () => call.bytes.toString(),
    () => [address, percentDecoded(address.replaceAll('+', ' ')), ...request.rawHeaders].join(' '),
    () => files.join(' '),
  ]
  return places.some((place) => plain(unescaped(place())).includes(wanted))
}

/** Letters and digits alone, so that neither spaces nor signs hide a word; a text of signs stays what it is. */
function plain(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase()
  return folded.replace(/[^\p{L}\p{N}]+/gu, '') || folded
}

/** Escapes that are still there after JSON has been read once: JSON within JSON. */
const unescaped = (text: string): string =>
  text.replace(/\\+u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))

/** Every name and text of a JSON value, in order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]) : []
}
