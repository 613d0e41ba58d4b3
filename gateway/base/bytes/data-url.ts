import { declaredType, SNIFFED_BYTES, typeOf, UNKNOWN_TYPE } from './mime-type.ts'
import { percentDecoded } from './percent.ts'

/** A file inside a request: its type without parameters, and its bytes as padded standard base64. */
export type Media = Readonly<{ mime: string; data: string }>

/**
 * Parses a `data:` URL (RFC 2397), in any base64 spelling or percent-encoded; returns undefined for other URLs and for
 * one without a comma near its beginning. `mime` is the fallback if neither the URL nor the bytes give a type. The
 * bytes of an image override its declared type, because vendors reject a wrong type.
 */
export function dataUrlIn(url: string, mime: string): Media | undefined {
  if (url.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined
  const comma = url.slice(0, MAX_HEAD).indexOf(',')
  if (comma < 0) return undefined
  const [type = '', ...parameters] = url.slice(SCHEME.length, comma).split(';')
  const body = url.slice(comma + 1)
  const isBase64 = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  const data = isBase64 ? (normalBase64(body) ?? body) : plain(body)
  const found = typeOf(declaredType(type), headOf(data), [])
  return { mime: found === UNKNOWN_TYPE ? mime : found, data }
}

export const dataUrlOut = ({ mime, data }: Media): string => `${SCHEME}${mime};base64,${data}`

const SCHEME = 'data:'
/** Max characters up to the comma; more than any type with its parameters has. */
const MAX_HEAD = 1024

const plain = (body: string): string => Buffer.from(percentDecoded(body)).toString('base64')

/** Normalizes base64 to its standard, padded spelling; returns null if it is invalid or encodes no byte. */
function normalBase64(text: string): string | null {
  const bare = plainIn(withoutPadding(text.trimEnd()))
  if (bare === null || bare.length < 2 || bare.length % 4 === 1) return null
  return bare.length % 4 === 0 ? bare : bare.padEnd(bare.length + 4 - (bare.length % 4), '=')
}

/**
 * Converts to the standard alphabet, without padding; returns null for invalid base64. Most texts already use it and
 * are long, so they are scanned only once; the others are read and written again as a whole, which is faster than
 * replacing characters.
 */
function plainIn(text: string): string | null {
  if (isPlain(text)) return text
  if (text.length > MAX_CONVERTED || NOT_BASE64.test(text)) return null
  const plain = withoutPadding(Buffer.from(text, 'base64').toString('base64'))
  return plain.length === charactersIn(text) ? plain : null
}

/** Max characters of a text that is converted; converting this many takes some 200 ms. */
const MAX_CONVERTED = 32 * 1024 * 1024

/** Matches a character that is neither base64, of either alphabet, nor white space. */
const NOT_BASE64 = /[^A-Za-z0-9+/_\-\s]/

function charactersIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (!isSpace(text.charCodeAt(at))) count += 1
  return count
}

const isSpace = (code: number): boolean => code <= 0x20 || (code >= 0x80 && /\s/.test(String.fromCharCode(code)))

const withoutPadding = (text: string): string => text.slice(0, text.length - paddingOf(text))

/**
 * Searches for an invalid character, because matching the whole text would store a backtracking state per character.
 */
const isPlain = (text: string): boolean => !/[^A-Za-z0-9+/]/.test(text)

function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2
  return text.endsWith('=') ? 1 : 0
}

const headOf = (data: string): Buffer => Buffer.from(data.slice(0, Math.ceil(SNIFFED_BYTES / 3) * 4), 'base64')
