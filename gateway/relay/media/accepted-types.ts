/** Whether a file of a type can be used. */
export type Accepts = (mime: string) => boolean

/** Every kind of file. */
export const anyType: Accepts = () => true

/** Images, for `image_url` and its like (docs/reference/limits.md#files-named-by-url). */
export const imageTypes: Accepts = (mime) => mime.startsWith('image/')

/** What Gemini takes inline (docs/reference/conversion.md#media-types). */
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
 * A URL that a file may be asked for by: complete, http or https, at most 8 KiB long, without user name or password.
 * `base` is where a redirect comes from. Null for everything else.
 */
export function mediaUrl(text: string, base?: URL): URL | null {
  if (text.length > MAX_URL_LENGTH) return null
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return null
  if (url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url
}
