import { isObject, type JsonObject, objectIn } from '../../../base/json/json.ts'
import { mixesTools } from '../../capabilities/gemini-models.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { RequestTarget } from '../codec.ts'
import type { ExtraPart, MediaPart, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../conversation.ts'
import { partIn } from '../sealed-part.ts'
import { responseOut } from './function-response.ts'
import { type MediaWriting, mediaOut } from './media.ts'
import { thoughtSignature } from './thought-signature.ts'

/** What the parts of a request are written with. */
export type PartsWriting = MediaWriting &
  Readonly<{
    /** The names of all calls of the conversation, by id. */
    names: ReadonlyMap<string, string>
    /** The model is of the third generation or later. */
    isThird: boolean
  }>

/** Ids that other vendors, or this gateway, give calls. Gemini's hosts do not all take an id, and know none that is not theirs. */
const FOREIGN_ID = /^(call|toolu|fc|tool|functions|chatcmpl)[-_.]/

/** Writes the parts of one content, results of tools first, as the vendor wants them right after the calls. */
export function partsOut(parts: readonly Part[], writing: PartsWriting): JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  const wire = results.map((result) => resultOut(result, writing))
  if (!writing.isThird) for (const result of results) wire.push(...filesOf(result, writing))
  let held: string | undefined
  const isSealed = parts.some((part) => part.type === 'reasoning' && partIn(part.signature, 'gemini') !== undefined)
  for (const part of parts) {
    if (part.type === 'tool-result') continue
    // What stands sealed beside them has told the vendor itself.
    if (isSealed && part.type === 'text' && part.search?.by === 'gemini') continue
    const own = part.type === 'reasoning' ? partIn(part.signature, 'gemini') : undefined
    if (isObject(own)) {
      if (held !== undefined) wire.push({ text: '', thoughtSignature: held })
      held = undefined
      if (mixesTools(writing.target.model)) wire.push({ ...own })
      continue
    }
    if (part.type === 'reasoning') {
      const isBare = part.signature?.by === 'gemini' && part.text === ''
      if (isBare && held !== undefined) wire.push({ text: '', thoughtSignature: held })
      if (isBare) held = part.signature && thoughtSignature(part.signature)
      else wire.push(...thoughtOut(part, writing))
      continue
    }
    const written = partOut(part, wire, writing)
    if (!written) continue
    if (part.type === 'media') wire.push(...nameOut(part, writing))
    if (held !== undefined && written.thoughtSignature === undefined) written.thoughtSignature = held
    else if (held !== undefined) wire.push({ text: '', thoughtSignature: held })
    held = undefined
    wire.push(written)
  }
  if (held !== undefined) wire.push({ text: '', thoughtSignature: held })
  return wire
}

function resultOut(result: ToolResultPart, writing: PartsWriting): JsonObject {
  const { callId } = result
  if (result.cache) writing.target.drop('cache')
  const files = writing.isThird ? filesOf(result, writing) : []
  const functionResponse = {
    ...(!FOREIGN_ID.test(callId) && { id: callId }),
    name: result.name || (writing.names.get(callId) ?? callId),
    response: responseOut(result),
    ...(files.length > 0 && { parts: files }),
  }
  return { functionResponse }
}

/** The files of a result, without their names: what stands before a file belongs to the result's text. */
const filesOf = (result: ToolResultPart, writing: PartsWriting): readonly JsonObject[] =>
  result.content.flatMap((part) => {
    if (part.type !== 'media') return []
    if (part.name !== undefined && !writing.isOwn) writing.target.drop('filename')
    return [mediaOut(part, writing)]
  })

/** The name of another dialect's file, which people refer to it by, in words before it. */
const nameOut = ({ name }: MediaPart, { isOwn }: PartsWriting): readonly JsonObject[] =>
  name === undefined || isOwn ? [] : [{ text: `File: ${name}` }]

/** A thought of the vendor's own, or one a client of this dialect sends back without a signature; others are left out. */
function thoughtOut({ text, signature }: ReasoningPart, { isOwn }: PartsWriting): readonly JsonObject[] {
  if (signature?.by === 'gemini') return [{ text, thought: true, thoughtSignature: thoughtSignature(signature) }]
  return isOwn && !signature ? [{ text, thought: true }] : []
}

function partOut(part: Part, wire: readonly JsonObject[], writing: PartsWriting): JsonObject | undefined {
  const { target } = writing
  if ('cache' in part && part.cache) target.drop('cache')
  if (part.type === 'text' && part.original?.of === 'gemini') return { ...objectIn(part.original.value) }
  if (part.type === 'text' || part.type === 'refusal') return part.text === '' ? undefined : { text: part.text }
  if (part.type === 'media') return mediaOut(part, writing)
  if (part.type === 'tool-call') return callOut(part)
  return part.type === 'extra' ? extraOut(part, wire.at(-1), target) : undefined
}

function callOut(call: ToolCallPart): JsonObject {
  const { id, name, arguments: text, custom, signature } = call
  return {
    functionCall: { ...(!FOREIGN_ID.test(id) && { id }), name, args: custom ? { input: text } : argumentsOut(text) },
    ...(signature?.by === 'gemini' && { thoughtSignature: thoughtSignature(signature) }),
  }
}

/** A part of this dialect's own as it was; members that stood beside another part go back to it. */
function extraOut(part: ExtraPart, before: JsonObject | undefined, target: RequestTarget): JsonObject | undefined {
  const value = isObject(part.value) ? part.value : {}
  if (part.of !== 'gemini') target.drop(`content.${part.name}`)
  else if (isObject(value.alone)) return { ...value.alone }
  else if (before && isObject(value.beside)) Object.assign(before, value.beside)
  return undefined
}
