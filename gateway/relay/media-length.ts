import { isObject } from '../base/json.ts'

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

/** Characters of a body that are files in base64, which are no text to count. */
export function mediaLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + mediaLength(item), 0)
  if (!isObject(value)) return 0
  let sum = 0
  for (const name in value) {
    const member = value[name]
    if (typeof member !== 'string') sum += mediaLength(member)
    else if (member.length >= LEAST && FILE_FIELDS.has(name) && !member.includes(' ', member.indexOf(',') + 1))
      sum += member.length
  }
  return sum
}
