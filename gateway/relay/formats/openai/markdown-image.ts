import { dataUrlIn, dataUrlOut } from '../../../base/bytes/data-url.ts'
import type { MediaPart, TextPart } from '../conversation.ts'

/**
 * A picture inside text (docs/reference/conversion.md#gemini-to-openai): this dialect's answers have no other place
 * for one.
 */
export const markdownImage = (url: string): string => `![image](${url})`

/** Bytes of a picture as markdown. */
export const inlineImage = (mime: string, data: string): string => markdownImage(dataUrlOut({ mime, data }))

/**
 * An assistant's text as a client sends it back, with the pictures the model made taken out again: as text, their
 * base64 would be paid for by the token. Takes time linear in the text, whatever it holds.
 */
export function withoutPictures(text: string): readonly (TextPart | MediaPart)[] {
  const parts: (TextPart | MediaPart)[] = []
  let from = 0
  for (let at = text.indexOf(OPENING); at >= 0; at = text.indexOf(OPENING, at + 1)) {
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

const OPENING = '](data:image/'
/** What a picture is called, up to the end of the text. */
const LABEL = /!\[[^[\]]*$/
/** A name that is longer, or a media type, is not one of ours: bounds keep the search linear. */
const MAX_LABEL_LENGTH = 200
const DATA = ';base64,'
const MAX_TYPE_LENGTH = 40

/** Where the base64 of an image ends with a bracket; -1 where it does not. */
function endOfData(text: string, type: number): number {
  const data = text.slice(type, type + MAX_TYPE_LENGTH).indexOf(DATA)
  if (data < 0) return -1
  const notBase64 = /[^A-Za-z0-9+/=]/g
  notBase64.lastIndex = type + data + DATA.length
  const end = notBase64.exec(text)
  return end?.[0] === ')' ? end.index : -1
}
