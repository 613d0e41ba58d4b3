import { isObject, type JsonObject, textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ChoiceEnd, choiceOf, partOf } from './answer-parts.ts'
import { usageOut } from './usage.ts'

type Choice = { readonly parts: JsonObject[]; readonly end: ChoiceEnd }

export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const choices = new Map<number, Choice>()
  const audioPieces: AudioPieces = new Map()
  for (const event of events) {
    const index = choiceOf(event)
    if (index === undefined) continue
    const choice = choices.get(index) ?? { parts: [], end: new ChoiceEnd() }
    choices.set(index, choice)
    if (!choice.end.holds(event)) add(choice.parts, event, audioPieces)
  }
  for (const [audio, pieces] of audioPieces) audio.data = Buffer.concat(pieces).toString('base64')
  if (choices.size === 0) choices.set(0, { parts: [], end: new ChoiceEnd() })
  const inOrder = [...choices].toSorted(([one], [other]) => one - other)
  return {
    candidates: inOrder.map(([index, { parts, end }]) => end.candidate(index, parts)),
    usageMetadata: usageOut(usage),
    modelVersion: frame.model,
    responseId: frame.id,
  }
}

type AudioPieces = Map<Record<string, unknown>, Buffer[]>

function add(parts: JsonObject[], event: AnswerEvent, audioPieces: AudioPieces): void {
  const part = partOf(event)
  const isApart = event.type === 'reasoning' && event.redacted === true
  if (part && (isApart || !joins(parts.at(-1), part, audioPieces))) parts.push(part)
  if (event.type === 'media' && event.transcript)
    add(parts, { ...event, type: 'text', text: event.transcript }, audioPieces)
}

/** Merges a part into the preceding one if both are pieces of one whole. A signature ends a thought part. */
function joins(before: JsonObject | undefined, part: JsonObject, audioPieces: AudioPieces): boolean {
  if (!before) return false
  if (typeof before.text === 'string' && typeof part.text === 'string') {
    const isSame = before.thought === part.thought && before.thoughtSignature === undefined
    const isJoined = isSame && (part.thought === true || part.thoughtSignature === undefined)
    if (isJoined) Object.assign(before, part, { text: before.text + part.text })
    return isJoined
  }
  const [audio, more] = [before.inlineData, part.inlineData]
  if (!isObject(audio) || !isObject(more) || audio.mimeType !== more.mimeType) return false
  if (textIn(audio.mimeType)?.startsWith('audio/') !== true) return false
  const pieces = audioPieces.get(audio) ?? [bytesOf(audio)]
  pieces.push(bytesOf(more))
  audioPieces.set(audio, pieces)
  return true
}

const bytesOf = ({ data }: JsonObject): Buffer => Buffer.from(textIn(data) ?? '', 'base64')
