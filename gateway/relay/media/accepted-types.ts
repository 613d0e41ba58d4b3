/** Whether a file of a type can be used. */
export type Accepts = (mime: string) => boolean

/** Every kind of file. */
export const anyType: Accepts = () => true

/** Images, for `image_url` and its like (spec/relay.md §7.6). */
export const imageTypes: Accepts = (mime) => mime.startsWith('image/')

/** What Gemini takes inline (spec/relay.md §3.5, `mime_whitelist` of spec/data/gemini.json). */
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
