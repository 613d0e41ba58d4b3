import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../../base/json/json.ts'
import { JsonTooLarge, readJson } from '../../../base/json/json-read.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import type { MaybePromise } from '../../../base/maybe-promise.ts'

/**
 * The members of a request of Gemini's that Vertex wants otherwise than Google's other service: every content says whose
 * it is, calls of functions and their results have no ids (Vertex AI API reference, "Content", "FunctionCall"), and tools
 * of the vendor's own stand beside functions without a word
 * (docs/reference/conversion.md#tools-beside-functions). A large body is read in turns with others.
 */
export const vertexMembers = (bytes: Buffer): MaybePromise<ReadonlyMap<string, unknown>> =>
  bytes.length <= LARGE ? membersOf(parsed(bytes.toString())) : readInTurns(bytes).then(membersOf)

/** What the gateway has written itself may be longer than what it takes, and is read all the same. */
const readInTurns = (bytes: Buffer): Promise<unknown> =>
  readJson(bytes, { values: Infinity, names: Infinity, depth: Infinity }).then(
    ({ json }) => json,
    (cause) => {
      if (!(cause instanceof JsonTooLarge)) throw cause
      return parsed(bytes.toString())
    },
  )

function membersOf(json: unknown): ReadonlyMap<string, unknown> {
  const body = objectIn(json)
  const { contents } = body
  const members = new Map<string, unknown>(configEdits(body))
  if (Array.isArray(contents) && !objectsIn(contents).every(isPlain))
    members.set(
      'contents',
      contents.map((content) => (isObject(content) ? mended(content) : content)),
    )
  return members
}

/** Vertex knows no `includeServerSideToolInvocations`, and refuses what it does not know. */
function configEdits(body: JsonObject): readonly (readonly [string, unknown])[] {
  return ['toolConfig', 'tool_config'].flatMap((member) => {
    const config = body[member]
    if (!isObject(config) || !FLAGS.some((flag) => flag in config)) return []
    const { includeServerSideToolInvocations: _, include_server_side_tool_invocations: __, ...rest } = config
    return [[member, Object.keys(rest).length > 0 ? rest : undefined] as const]
  })
}

const FLAGS = ['includeServerSideToolInvocations', 'include_server_side_tool_invocations'] as const

/** In both spellings that Google reads. */
const CALLS = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const

const isPlain = ({ role, parts }: JsonObject): boolean =>
  role !== undefined &&
  !objectsIn(parts).some((part) => isOwnTools(part) || CALLS.some((name) => 'id' in objectIn(part[name])))

/** What the vendor's own tools did at Google's other service, which tells it in parts that Vertex does not know. */
const isOwnTools = (part: JsonObject): boolean => OWN.some((name) => name in part)

const OWN = ['toolCall', 'tool_call', 'toolResponse', 'tool_response'] as const

const mended = ({ role = 'user', parts, ...rest }: JsonObject): JsonObject => ({
  role,
  parts: Array.isArray(parts) ? parts.flatMap((part) => (isObject(part) ? mendedPart(part) : [part])) : parts,
  ...rest,
})

const mendedPart = (part: JsonObject): readonly JsonObject[] => (isOwnTools(part) ? [] : [withoutId(part)])

function withoutId(part: JsonObject): JsonObject {
  const changed = { ...part }
  for (const name of CALLS) {
    const { id: _, ...rest } = objectIn(part[name])
    if (isObject(part[name])) changed[name] = rest
  }
  return changed
}
