import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { argumentsOut } from '../call-arguments.ts'
import type { AnswerEvent, FinishReason, ScoredTokenWithTop } from '../events.ts'
import { resultOut } from '../log-probabilities.ts'
import { partIn } from '../sealed-part.ts'
import { finishOut } from './finish.ts'
import { type Citation, groundingOut } from './grounding.ts'
import { thoughtSignature } from './thought-signature.ts'

type ToolEvent = Extract<AnswerEvent, { type: 'tool' }>
type GeminiCall = { id: string; name: string; json: string; custom: boolean; signature: string | undefined }

/**
 * Collects the parts of a choice that are written at its end: calls, since their arguments arrive in pieces, sources,
 * search queries, and the finish reason; and log probabilities, which a later part may carry.
 */
export class ChoiceEnd {
  private readonly calls = new Map<number, GeminiCall>()
  private readonly citations: Citation[] = []
  private readonly queries: string[] = []
  private reason: FinishReason | undefined
  private readonly scores = new Scores()

  private addQueries(queries: readonly string[]): void {
    for (const query of queries) this.queries.push(query)
  }

  /** Records an event of the choice; returns false for content, which the caller writes at once. */
  holds(event: AnswerEvent): boolean {
    if (event.type === 'tool') this.addCall(event)
    else if (event.type === 'citation') this.citations.push(event)
    else if (event.type === 'search' && event.name !== 'toolCall') this.addQueries(event.search.queries)
    else if (event.type === 'logprobs') this.scores.add(event.tokens)
    else if (event.type === 'finish') this.reason = event.reason
    else return false
    return true
  }

  isScored(): boolean {
    return this.scores.isWaiting()
  }

  /** Returns the waiting log probabilities as members of a candidate; empty if there are none. */
  scored(): JsonObject {
    return this.scores.take()
  }

  candidate(index: number, parts: readonly JsonObject[]): JsonObject {
    const all = [...parts, ...[...this.calls.values()].map(callOut)]
    const groundingMetadata = groundingOut(this.citations, this.queries)
    return {
      content: { role: 'model', parts: all.length > 0 ? all : [{ text: '' }] },
      finishReason: finishOut(this.reason ?? 'stop'),
      index,
      ...(groundingMetadata && { groundingMetadata }),
      ...this.scores.take(),
      ...this.scores.average(),
    }
  }

  private addCall({ call, id, name, json, custom, signature }: ToolEvent): void {
    const known = this.calls.get(call) ?? { id: '', name: '', json: '', custom: false, signature: undefined }
    if (id) known.id = id
    if (name) known.name = name
    if (custom) known.custom = true
    if (signature) known.signature = thoughtSignature(signature)
    known.json += json ?? ''
    this.calls.set(call, known)
  }
}

/** Log probabilities of a choice: those not written yet, and the running average. */
class Scores {
  private waiting: ScoredTokenWithTop[] = []
  private sum = 0
  private count = 0

  add(tokens: readonly ScoredTokenWithTop[]): void {
    for (const token of tokens) {
      this.waiting.push(token)
      this.sum += token.logprob
      this.count += 1
    }
  }

  isWaiting(): boolean {
    return this.waiting.length > 0
  }

  take(): JsonObject {
    if (!this.isWaiting()) return {}
    const logprobsResult = resultOut(this.waiting)
    this.waiting = []
    return { logprobsResult }
  }

  average(): JsonObject {
    return this.count > 0 ? { avgLogprobs: this.sum / this.count } : {}
  }
}

export function partOf(event: AnswerEvent): JsonObject | undefined {
  if (event.type === 'text' || event.type === 'refusal') return event.text === '' ? undefined : { text: event.text }
  if (event.type === 'reasoning') return thoughtOf(event)
  if (event.type === 'extra') return event.of === 'gemini' && isObject(event.value) ? { ...event.value } : undefined
  return event.type === 'media' ? { inlineData: { mimeType: event.mime, data: event.data } } : undefined
}

export const choiceOf = (event: AnswerEvent): number | undefined => ('choice' in event ? event.choice : undefined)

function thoughtOf(event: Extract<AnswerEvent, { type: 'reasoning' }>): JsonObject | undefined {
  const { text, signature, redacted } = event
  if (!signature) return text === '' ? undefined : { text, thought: true }
  const own = partIn(signature, 'gemini')
  if (isObject(own)) return { ...own }
  const isBare = signature.by === 'gemini' && redacted === true
  return { text, ...(!isBare && { thought: true }), thoughtSignature: thoughtSignature(signature, redacted) }
}

function callOut({ id, name, json, custom, signature }: GeminiCall): JsonObject {
  return {
    functionCall: { ...(id !== '' && { id }), name, args: custom ? { input: json } : argumentsOut(json) },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }
}
