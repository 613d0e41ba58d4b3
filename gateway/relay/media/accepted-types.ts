import { parsedAddress } from '../../base/network/web-address.ts'

export type Accepts = (mime: string) => boolean

export const anyType: Accepts = () => true

/** Images, for `image_url` and similar (docs/reference/limits.md#files-named-by-url). */
export const imageTypes: Accepts = (mime) => mime.startsWith('image/')

/** Media types that Gemini accepts inline (docs/reference/conversion.md#media-types). */
export const geminiTypes: Accepts = (mime) => gemini.has(mime)

const gemini: ReadonlySet<string> = new Set([
  'application/pdf',
  'audio/mpeg',
  'audio/mp3',
  'audio/wav',
  'image/png',
  'image/jpeg',
  'image/webp',
  'text/plain',
  'video/mov',
  'video/mpeg',
  'video/mp4',
  'video/mpg',
  'video/avi',
  'video/wmv',
  'video/mpegps',
  'video/flv',
])

const MAX_URL_LENGTH = 8192

/**
 * Parses a URL that may be fetched: absolute, http or https, at most 8 KiB, without credentials. `base` is the source
 * of a redirect. Returns null for anything else.
 */
export function mediaUrl(text: string, base?: URL): URL | null {
  if (text.length > MAX_URL_LENGTH) return null
  const url = parsedAddress(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url
}
