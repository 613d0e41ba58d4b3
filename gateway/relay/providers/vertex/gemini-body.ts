import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../../base/json.ts'

/**
 * The members of a request of Gemini's that Vertex wants otherwise than Google's other service: every content says whose
 * it is, and calls of functions and their results have no ids (Vertex AI API reference, "Content", "FunctionCall").
 */
export function vertexContents(bytes: Buffer): ReadonlyMap<string, unknown> {
  const { contents } = objectIn(parsed(bytes.toString()))
  if (!Array.isArray(contents) || objectsIn(contents).every(isPlain)) return NOTHING
  return new Map([['contents', contents.map((content) => (isObject(content) ? mended(content) : content))]])
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()
/** In both spellings that Google reads. */
const CALLS = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const

const isPlain = ({ role, parts }: JsonObject): boolean =>
  role !== undefined && !objectsIn(parts).some((part) => CALLS.some((name) => 'id' in objectIn(part[name])))

const mended = ({ role = 'user', parts, ...rest }: JsonObject): JsonObject => ({
  role,
  parts: Array.isArray(parts) ? parts.map((part) => (isObject(part) ? withoutId(part) : part)) : parts,
  ...rest,
})

function withoutId(part: JsonObject): JsonObject {
  const changed = { ...part }
  for (const name of CALLS) {
    const { id: _, ...rest } = objectIn(part[name])
    if (isObject(part[name])) changed[name] = rest
  }
  return changed
}
