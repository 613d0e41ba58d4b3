import { dataUrlIn, dataUrlOut } from '../../../base/bytes/data-url.ts'
import type { MediaPart, TextPart } from '../conversation.ts'

/**
 * Writes an image inside text, since this dialect's responses have no other field for it
 * (docs/reference/conversion.md#gemini-to-openai).
 */
export const markdownImage = (url: string): string => `![image](${url})`

export const inlineImage = (mime: string, data: string): string => markdownImage(dataUrlOut({ mime, data }))

/**
 * Extracts the model's images from an assistant's text that a client returns: as text, their base64 would be billed by
 * token. Takes linear time for any text.
 */
export function withoutImages(text: string): readonly (TextPart | MediaPart)[] {
  const parts: (TextPart | MediaPart)[] = []
  let from = 0
  let tries = 0
  for (let at = text.indexOf(OPENING); at >= 0 && tries < MAX_TRIES; at = text.indexOf(OPENING, at + 1)) {
    tries += 1
    const begin = text.slice(Math.max(from, at - MAX_LABEL_LENGTH), at).search(LABEL)
    const end = begin < 0 ? -1 : endOfData(text, at + OPENING.length)
    const image = end < 0 ? undefined : dataUrlIn(text.slice(at + 2, end), 'image/png')
    if (!image) continue
    const first = Math.max(from, at - MAX_LABEL_LENGTH) + begin
    if (first > from) parts.push({ type: 'text', text: text.slice(from, first) })
    parts.push({ type: 'media', kind: 'image', source: { type: 'data', ...image } })
    from = end + 1
  }
  if (from === 0 || from < text.length) parts.push({ type: 'text', text: text.slice(from) })
  return parts
}

/** Max images that are looked for; more than any conversation has. */
const MAX_TRIES = 10_000
const OPENING = '](data:image/'
const LABEL = /!\[[^[\]]*$/
/** Longer labels and media types are not ours; the bounds keep the search linear. */
const MAX_LABEL_LENGTH = 200
const DATA = ';base64,'
const MAX_TYPE_LENGTH = 40

function endOfData(text: string, type: number): number {
  const data = text.slice(type, type + MAX_TYPE_LENGTH).indexOf(DATA)
  if (data < 0) return -1
  const notBase64 = /[^A-Za-z0-9+/=]/g
  notBase64.lastIndex = type + data + DATA.length
  const end = notBase64.exec(text)
  return end?.[0] === ')' ? end.index : -1
}
