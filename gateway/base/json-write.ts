import { ExactNumber } from './exact-number.ts'
import { randomKey } from './ids.ts'
import { LONG, othersTurn } from './json-scan.ts'

/**
 * Writes a value as JSON. Where `isLarge`, long texts are written one by one and in pieces, with turns for others
 * between them; all else takes some milliseconds.
 */
export async function writeJson(value: unknown, isLarge: boolean): Promise<Buffer> {
  if (!isLarge) return Buffer.from(JSON.stringify(value))
  const mark = randomKey(MARK_LENGTH)
  const texts: string[] = []
  const skeleton = JSON.stringify(emptied(value, mark, texts))
  await othersTurn()
  const pieces: Buffer[] = []
  let from = 0
  for (const [index, text] of texts.entries()) {
    const place = skeleton.indexOf(`"${mark}${index}"`, from)
    pieces.push(Buffer.from(skeleton.slice(from, place + 1)))
    for (let start = 0; start < text.length; ) {
      const end = cutAfter(text, start + PIECE)
      pieces.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)))
      start = end
      await othersTurn()
    }
    from = place + 1 + mark.length + String(index).length
  }
  return Buffer.concat([...pieces, Buffer.from(skeleton.slice(from))])
}

const MARK_LENGTH = 24
/** Characters written before others have their turn: halves of characters, each written as six, take twenty times as long as others. */
const PIECE = 256 * 1024

/** The end of a piece, which never parts the two halves of a character. */
function cutAfter(text: string, end: number): number {
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

/** The value with marks in place of its long texts, which are kept in their order; what has none stays as it is. */
function emptied(value: unknown, mark: string, texts: string[]): unknown {
  if (typeof value === 'string') return value.length < LONG ? value : `${mark}${texts.push(value) - 1}`
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  if (Array.isArray(value)) {
    let list: unknown[] | undefined
    for (const [index, item] of value.entries()) {
      const own = emptied(item, mark, texts)
      if (own === item) continue
      list ??= [...value]
      list[index] = own
    }
    return list ?? value
  }
  const changed: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const own = emptied(member, mark, texts)
    if (own !== member) changed.push([name, own])
  }
  return changed.length > 0 ? Object.fromEntries([...Object.entries(value), ...changed]) : value
}
