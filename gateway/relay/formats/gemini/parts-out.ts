import { isObject, type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { mixesTools } from '../../capabilities/gemini-models.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { RequestTarget } from '../codec.ts'
import type { ExtraPart, MediaPart, Part, ReasoningPart, ToolCallPart, ToolResultPart } from '../conversation.ts'
import type { ResultReader } from '../result-json.ts'
import { partIn } from '../sealed-part.ts'
import { responseOut } from './function-response.ts'
import { type MediaWriting, mediaOut } from './media.ts'
import { thoughtSignature } from './thought-signature.ts'

export type PartsWriting = MediaWriting &
  Readonly<{
    names: UntrustedMap<string, string>
    isThird: boolean
    read: ResultReader
  }>

/**
 * Matches call ids of other vendors and this gateway. Not all of Gemini's hosts accept ids, and none knows foreign
 * ones.
 */
const FOREIGN_ID = /^(call|toolu|fc|tool|functions|chatcmpl)[-_.]/

/** Writes the parts of one content, tool results first, as the vendor requires them right after the calls. */
export function partsOut(parts: readonly Part[], writing: PartsWriting): JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result')
  const wire = results.map((result) => resultOut(result, writing))
  if (!writing.isThird) for (const result of results) wire.push(...filesOf(result, writing))
  let signature: string | undefined
  const isSealed = parts.some((part) => part.type === 'reasoning' && partIn(part.signature, 'gemini') !== undefined)
  for (const part of parts) {
    if (part.type === 'tool-result') continue
    // The sealed parts already carry this search to the vendor.
    if (isSealed && part.type === 'text' && part.search?.by === 'gemini') continue
    const own = part.type === 'reasoning' ? partIn(part.signature, 'gemini') : undefined
    if (isObject(own)) {
      if (signature !== undefined) wire.push({ text: '', thoughtSignature: signature })
      signature = undefined
      if (mixesTools(writing.target.model)) wire.push({ ...own })
      continue
    }
    if (part.type === 'reasoning') {
      const isBare = part.signature?.by === 'gemini' && part.text === ''
      if (isBare && signature !== undefined) wire.push({ text: '', thoughtSignature: signature })
      if (isBare) signature = part.signature && thoughtSignature(part.signature)
      else wire.push(...thoughtOut(part, writing))
      continue
    }
    const written = partOut(part, wire, writing)
    if (!written) continue
    if (part.type === 'media') wire.push(...nameOut(part, writing))
    if (signature !== undefined && written.thoughtSignature === undefined) written.thoughtSignature = signature
    else if (signature !== undefined) wire.push({ text: '', thoughtSignature: signature })
    signature = undefined
    wire.push(written)
  }
  if (signature !== undefined) wire.push({ text: '', thoughtSignature: signature })
  return wire
}

function resultOut(result: ToolResultPart, writing: PartsWriting): JsonObject {
  const { callId } = result
  if (result.cache) writing.target.drop('cache')
  const files = writing.isThird ? filesOf(result, writing) : []
  const functionResponse = {
    ...(!FOREIGN_ID.test(callId) && { id: callId }),
    name: result.name || (writing.names.get(callId) ?? callId),
    response: responseOut(result, writing.read),
    ...(files.length > 0 && { parts: files }),
  }
  return { functionResponse }
}

/** Returns the files of a result without their names: text before a file would be part of the result's text. */
const filesOf = (result: ToolResultPart, writing: PartsWriting): readonly JsonObject[] =>
  result.content.flatMap((part) => {
    if (part.type !== 'media') return []
    if (part.name !== undefined && !writing.isOwn) writing.target.drop('filename')
    return [mediaOut(part, writing)]
  })

/** Writes the name of a file from another dialect as text before it, since users refer to the file by its name. */
const nameOut = ({ name }: MediaPart, { isOwn }: PartsWriting): readonly JsonObject[] =>
  name === undefined || isOwn ? [] : [{ text: `File: ${name}` }]

/** Writes the vendor's own thought parts, and unsigned ones from clients of this dialect; others are left out. */
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

/**
 * Writes a part of this dialect unchanged; adds additional members to the part before; reports extras of other
 * dialects.
 */
function extraOut(part: ExtraPart, before: JsonObject | undefined, target: RequestTarget): JsonObject | undefined {
  const value = isObject(part.value) ? part.value : {}
  if (part.of !== 'gemini') target.drop(`content.${part.name}`)
  else if (isObject(value.alone)) return { ...value.alone }
  else if (before && isObject(value.beside)) Object.assign(before, value.beside)
  return undefined
}
