import { declaredType, SNIFFED_BYTES, sniffed, typeOf } from './mime-type.ts'

/** A file inside a request: its type without parameters, and its bytes as padded base64 of the standard alphabet. */
export type Media = Readonly<{ mime: string; data: string }>

/**
 * Reads `data:<type>;base64,<data>` (RFC 2397), with any parameters and white space, padded or not, in either alphabet
 * of RFC 4648. A missing or meaningless type is read from the bytes. Null for what is no such URL or holds no data.
 */
export function parseDataUrl(text: string): Media | null {
  if (!/^data:/i.test(text)) return null
  const comma = text.indexOf(',')
  if (comma === -1) return null
  const [type = '', ...parameters] = text.slice('data:'.length, comma).split(';')
  if (!parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')) return null
  const data = normalBase64(text.slice(comma + 1))
  return data === null ? null : { mime: typeOf(declaredType(type), headOf(data), []), data }
}

/** The data URL of a file. */
export const makeDataUrl = ({ mime, data }: Media): string => `data:${mime};base64,${data}`

/** The type that base64 bytes give away by their magic numbers; undefined where they do not. */
export const sniffedBase64 = (data: string): string | undefined => sniffed(headOf(data))

/** Base64 in its standard, padded spelling; null for text that is none, or stands for no byte at all. */
export function normalBase64(text: string): string | null {
  const plain = isPlain(text) ? text : text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  const bare = plain.slice(0, plain.length - paddingOf(plain))
  if (bare.length < 2 || bare.length % 4 === 1 || !isPlain(bare)) return null
  return bare.length % 4 === 0 ? bare : bare.padEnd(bare.length + 4 - (bare.length % 4), '=')
}

/** A search and no whole match: that would keep a way back for every character of the file. */
const isPlain = (text: string): boolean => !/[^A-Za-z0-9+/]/.test(text)

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2
  return text.endsWith('=') ? 1 : 0
}

const headOf = (data: string): Buffer => Buffer.from(data.slice(0, Math.ceil(SNIFFED_BYTES / 3) * 4), 'base64')
