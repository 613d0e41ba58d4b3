import { isObject, type JsonObject } from '../../base/json.ts'

/** Shorter texts are no files. */
const LEAST = 1024
const FILE_FIELDS = new Set([
  'data',
  'file_data',
  'url',
  'image_url',
  'b64_json',
  'encrypted_content',
  'thoughtSignature',
])

/** What tools may be called with and, in Gemini's dialect, are called with and answer: text, whatever is in it. */
const TEXT_FIELDS = new Set(['tools', 'args', 'response'])

/** Characters of a body that are files in base64, which are no text to count. */
export function mediaLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + mediaLength(item), 0)
  if (!isObject(value) || isText(value)) return 0
  let sum = 0
  for (const name in value) {
    const member = value[name]
    if (typeof member !== 'string') sum += TEXT_FIELDS.has(name) ? 0 : mediaLength(member)
    else if (member.length >= LEAST && FILE_FIELDS.has(name) && isFile(member)) sum += member.length
  }
  return sum
}

/** A call of a tool, or text in the place of a file: Anthropic's plain text, Gemini's files of text. */
const isText = ({ type, mimeType, mime_type }: JsonObject): boolean =>
  type === 'text' || type === 'tool_use' || /^text\//i.test(String(mimeType ?? mime_type))

const isFile = (text: string): boolean =>
  !text.includes(' ', text.indexOf(',') + 1) && !/^data:text\//i.test(text.slice(0, 'data:text/'.length))
