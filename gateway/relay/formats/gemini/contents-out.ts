import type { JsonObject } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { isThirdGeneration } from '../../capabilities/gemini-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, Part, Turn } from '../conversation.ts'
import { instructionsApart } from '../instructions.ts'
import { createResultReader } from '../result-json.ts'
import { type PartsWriting, partsOut } from './parts-out.ts'

type Content = { role: 'user' | 'model'; parts: JsonObject[] }

/** The vendor's placeholder for an unknown signature; the third generation requires one on a step's first call. */
export const UNKNOWN_SIGNATURE = 'skip_thought_signature_validator'

/** Writes `contents`, merging consecutive turns of one side; never empty, which the vendor refuses. */
export function contentsOut(conversation: Conversation, target: RequestTarget): readonly JsonObject[] {
  const { extras, imageDetail } = conversation
  const isThird = isThirdGeneration(target.model)
  const isOwn = extras.from === 'gemini'
  const names = namesOf(conversation)
  const writing: PartsWriting = { target, isOwn, imageDetail, names, isThird, read: createResultReader() }
  const sides = joined(conversation.turns, target)
  const contents: Content[] = sides.map(({ role, parts }) => ({ role, parts: partsOut(parts, writing) }))
  const filled = contents.filter(({ parts }) => parts.length > 0)
  if (isThird) addPlaceholders(filled)
  return filled.length > 0 ? filled : [{ role: 'user', parts: [{ text: '...' }] }]
}

export function systemOut({ turns }: Conversation, target: RequestTarget): JsonObject | undefined {
  const texts: string[] = []
  for (const turn of instructionsApart(turns).instructions) {
    for (const part of turn.parts) {
      if (part.type === 'text') texts.push(part.text)
      else if (part.type === 'media') target.drop(part.kind)
      else if (part.type === 'extra') target.drop(`content.${part.name}`)
      if ('cache' in part && part.cache) target.drop('cache')
    }
  }
  const nonEmpty = texts.filter((text) => text !== '')
  return nonEmpty.length > 0 ? { parts: [{ text: nonEmpty.join('\n') }] } : undefined
}

function joined(turns: readonly Turn[], target: RequestTarget) {
  const sides: { role: Content['role']; parts: Part[] }[] = []
  if (turns.some(({ name }) => name !== undefined)) target.drop('name')
  for (const turn of instructionsApart(turns).dialogue) {
    const role = turn.role === 'assistant' ? 'model' : 'user'
    const last = sides.at(-1)
    if (last?.role === role) for (const part of turn.parts) last.parts.push(part)
    else sides.push({ role, parts: [...turn.parts] })
  }
  return sides
}

function namesOf({ turns }: Conversation): UntrustedMap<string, string> {
  const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
  return new UntrustedMap(calls.map(({ id, name }) => [id, name]))
}

/**
 * Signs the first call of every step if it has no signature. The vendor requires one only since the last user message;
 * earlier calls stay signed as in previous requests.
 */
function addPlaceholders(contents: readonly Content[]): void {
  for (const { role, parts } of contents) {
    const first = role === 'model' ? parts.find((part) => part.functionCall !== undefined) : undefined
    if (first && first.thoughtSignature === undefined) first.thoughtSignature = UNKNOWN_SIGNATURE
  }
}
