import { isObject, type JsonObject, objectIn, objectsIn, parsed } from '../../../base/json/json.ts'
import { JsonTooLarge, readJson } from '../../../base/json/json-read.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import type { MaybePromise } from '../../../base/maybe-promise.ts'

/**
 * Returns the members of a Gemini request that Vertex requires in another form than Google's other service: every
 * content has a role, function calls and their results have no ids (Vertex AI API reference, "Content",
 * "FunctionCall"), and the vendor's own tools have no parts, and need no flag next to functions
 * (docs/reference/conversion.md#non-function-tools). A large body is parsed in steps, yielding to other requests.
 */
export const vertexMembers = (bytes: Buffer): MaybePromise<ReadonlyMap<string, unknown>> =>
  bytes.length <= LARGE ? membersOf(parsed(bytes.toString())) : readInSteps(bytes).then(membersOf)

/** A body written by the gateway may exceed the limits for requests, and is parsed nonetheless. */
const readInSteps = (bytes: Buffer): Promise<unknown> =>
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
      contents.map((content) => (isObject(content) ? adapted(content) : content)),
    )
  return members
}

/** Vertex does not have `includeServerSideToolInvocations`, and refuses unknown members. */
function configEdits(body: JsonObject): readonly (readonly [string, unknown])[] {
  return ['toolConfig', 'tool_config'].flatMap((member) => {
    const config = body[member]
    if (!isObject(config) || !FLAGS.some((flag) => flag in config)) return []
    const { includeServerSideToolInvocations: _, include_server_side_tool_invocations: __, ...rest } = config
    return [[member, Object.keys(rest).length > 0 ? rest : undefined] as const]
  })
}

const FLAGS = ['includeServerSideToolInvocations', 'include_server_side_tool_invocations'] as const

/** Calls and their results, in both spellings that Google accepts. */
const CALLS = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const

const isPlain = ({ role, parts }: JsonObject): boolean =>
  role !== undefined &&
  !objectsIn(parts).some((part) => isOwnTools(part) || CALLS.some((name) => 'id' in objectIn(part[name])))

/** Whether a part describes work by the vendor's own tools at Google's other service, in a form unknown to Vertex. */
const isOwnTools = (part: JsonObject): boolean => OWN.some((name) => name in part)

const OWN = ['toolCall', 'tool_call', 'toolResponse', 'tool_response'] as const

const adapted = ({ role = 'user', parts, ...rest }: JsonObject): JsonObject => ({
  role,
  parts: Array.isArray(parts) ? parts.flatMap((part) => (isObject(part) ? adaptedPart(part) : [part])) : parts,
  ...rest,
})

const adaptedPart = (part: JsonObject): readonly JsonObject[] => (isOwnTools(part) ? [] : [withoutId(part)])

function withoutId(part: JsonObject): JsonObject {
  const changed = { ...part }
  for (const name of CALLS) {
    const { id: _, ...rest } = objectIn(part[name])
    if (isObject(part[name])) changed[name] = rest
  }
  return changed
}
