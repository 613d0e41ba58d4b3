import { isObject, type JsonObject, objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import { argumentsIn } from '../call-arguments.ts'
import { choiceIndex } from '../choice-index.ts'
import type { StreamDecoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { leavesOf } from '../leaves.ts'
import { resultIn } from '../log-probabilities.ts'
import { boundedCallId } from '../long-call-id.ts'
import { DONE, END_MARK, unreadableEvent } from '../payload.ts'
import { partSeal } from '../sealed-part.ts'
import { finishIn } from './finish.ts'
import { Cited, citationsIn, SearchCount, searchOf } from './grounding.ts'
import { messageIn, messagesIn } from './message.ts'
import { signatureIn } from './thought-signature.ts'
import { ownToolOf, searchesIn } from './tool-parts.ts'
import { usageIn } from './usage.ts'

/**
 * Reads GenerateContentResponses: a complete one, or those of a stream, in the same form
 * (docs/reference/conversion.md#gemini-to-openai).
 */
export class GeminiAnswerReader implements StreamDecoder {
  private readonly newCallId: () => string
  private isStarted = false
  private readonly searches = new SearchCount()
  private readonly calls: number[] = []
  private readonly cited = new Cited()
  private readonly searched = new Set<number>()
  private readonly last = new LastResponse()
  private usage: Usage | undefined
  /** The path of the argument that is being streamed. */
  private argument = ''

  constructor(newCallId: () => string) {
    this.newCallId = newCallId
  }

  payload(text: string): readonly AnswerEvent[] {
    if (text.startsWith(END_MARK)) return DONE
    const json = parsed(text)
    if (json === undefined) return unreadableEvent(text)
    const events = this.read(json)
    return this.last.is(events) ? [...events, ...DONE] : events
  }

  read(value: unknown): readonly AnswerEvent[] {
    const events: AnswerEvent[] = []
    // An error may come in an array; so may a whole stream if it was not requested as events.
    for (const wire of Array.isArray(value) ? value : [value]) if (isObject(wire)) this.add(events, messageIn(wire))
    return events
  }

  private add(events: AnswerEvent[], wire: JsonObject): void {
    if (isObject(wire.error) || (typeof wire.error === 'string' && wire.error !== '')) {
      events.push({ type: 'error', error: isObject(wire.error) ? wire.error : { message: wire.error } })
      return
    }
    if (!this.isStarted) events.push(startOf(wire))
    this.isStarted = true
    const candidates = messagesIn(wire.candidates)
    for (const [position, candidate] of candidates.entries()) this.addCandidate(events, candidate, position)
    const blocked = candidates.length === 0 ? blockIn(wire.promptFeedback) : undefined
    if (blocked) events.push(blocked)
    this.addUsage(events, wire.usageMetadata)
  }

  private addCandidate(events: AnswerEvent[], candidate: JsonObject, position: number): void {
    const choice = choiceIndex(candidate.index, position)
    const parts = messagesIn(messageIn(candidate.content).parts)
    const tokens = candidate.logprobsResult === undefined ? [] : resultIn(messageIn(candidate.logprobsResult))
    if (tokens.length > 0) events.push({ type: 'logprobs', choice, tokens })
    for (const part of parts) {
      if (isObject(part.functionCall)) this.addCall(events, part, choice)
      else events.push(...partEvents(part, choice))
      this.searches.note(part)
    }
    for (const citation of citationsIn(candidate, choice)) if (this.cited.add(citation)) events.push(citation)
    this.addSearch(events, candidate, choice)
    this.searches.note(candidate)
    const reason = finishIn(candidate.finishReason, (this.calls[choice] ?? 0) > 0)
    if (reason !== undefined) events.push({ type: 'finish', choice, reason })
  }

  /** Emits a choice's search once, even if several chunks of a stream repeat it. */
  private addSearch(events: AnswerEvent[], candidate: JsonObject, choice: number): void {
    const search = candidate.groundingMetadata === undefined ? undefined : searchOf(candidate)
    if (!search || this.searched.has(choice)) return
    this.searched.add(choice)
    events.push({ type: 'search', choice, by: 'gemini', name: 'groundingMetadata.webSearchQueries', search })
  }

  private addCall(events: AnswerEvent[], part: JsonObject, choice: number): void {
    const { id, name, args, partialArgs } = messageIn(part.functionCall)
    for (const argument of messagesIn(partialArgs)) this.addPartial(events, argument)
    if (typeof name !== 'string') return
    const call = this.calls[choice] ?? 0
    this.calls[choice] = call + 1
    const signature = signatureIn(part.thoughtSignature)?.signature
    const json = argumentsIn(objectIn(args))
    const callId = boundedCallId(textIn(id) ?? '') || this.newCallId()
    events.push({ type: 'tool', choice, call, id: callId, name, json, ...(signature && { signature }) })
  }

  /** Counts a piece of an argument (Vertex AI, "PartialArg"), and the argument's name at its first piece. */
  private addPartial(events: AnswerEvent[], { jsonPath, willContinue: _, ...value }: JsonObject): void {
    const path = (textIn(jsonPath) ?? '').replace(/\[\d{1,9}\]/g, '')
    const name = path === this.argument ? '' : path.slice(path.lastIndexOf('.') + 1)
    this.argument = path
    const text = name + leavesOf(value)
    if (text !== '') events.push({ type: 'vendor-call', text })
  }

  /** Emits the usage so far, and again if a later search changes it. */
  private addUsage(events: AnswerEvent[], value: unknown): void {
    const known = this.usage
    const searches = this.searches.count()
    const reported = usageIn(value, searches)
    const usage =
      reported ?? (known && known.webSearches !== searches ? { ...known, webSearches: searches } : undefined)
    if (!usage) return
    this.usage = usage
    events.push({ type: 'usage', usage, ...(reported ? {} : { isBegun: true }) })
  }
}

function startOf(wire: JsonObject): AnswerEvent {
  const id = textIn(wire.responseId)
  const model = textIn(wire.modelVersion)
  return { type: 'start', ...(id !== undefined && { id }), ...(model !== undefined && { model }) }
}

/**
 * A refused prompt has no candidates; it becomes an error, with the vendor's message if any
 * (docs/reference/conversion.md#gemini-to-openai).
 */
function blockIn(value: unknown): AnswerEvent | undefined {
  const { blockReason, blockReasonMessage } = messageIn(value)
  if (typeof blockReason !== 'string') return undefined
  const message = textIn(blockReasonMessage) ?? `promptFeedback.blockReason: ${blockReason}`
  return { type: 'error', error: { message, type: 'content_filter', code: 'content_filter', status: 400 } }
}

/** Returns the events of any part but a call. Code that the vendor ran, and its output, become fenced text. */
function partEvents(part: JsonObject, choice: number): readonly AnswerEvent[] {
  const own = ownToolOf(part)
  // The vendor accepts parts of its own tools only whole, with their signature.
  if (own) {
    const seal = { type: 'reasoning', choice, text: '', signature: partSeal('gemini', part), redacted: true } as const
    const shared = { type: 'search', choice, by: 'gemini', name: own, isCovered: true } as const
    return [seal, ...searchesIn(part).map((search) => ({ ...shared, search }))]
  }
  const signed = signatureIn(part.thoughtSignature)
  const { text } = part
  if (part.thought === true && typeof text === 'string') {
    const { signature, redacted } = signed ?? { signature: undefined, redacted: false }
    return [{ type: 'reasoning', choice, text, ...(signature && { signature }), ...(redacted && { redacted }) }]
  }
  const events: AnswerEvent[] = []
  if (signed) events.push({ type: 'reasoning', choice, text: '', signature: signed.signature, redacted: true })
  const { mimeType, data } = messageIn(part.inlineData)
  const { code, language } = messageIn(part.executableCode)
  const { output } = messageIn(part.codeExecutionResult)
  if (typeof text === 'string') {
    if (text !== '') events.push({ type: 'text', choice, text })
  } else if (part.thought === true) events.push({ type: 'extra', of: 'gemini', choice, name: 'thought', value: part })
  else if (typeof data === 'string')
    events.push({ type: 'media', choice, mime: textIn(mimeType) ?? 'application/octet-stream', data })
  else if (typeof code === 'string') events.push({ type: 'text', choice, text: fenced(languageOf(language), code) })
  else if (typeof output === 'string') events.push({ type: 'text', choice, text: fenced('output', output) })
  else if (Object.keys(part).some((name) => name !== 'thoughtSignature'))
    events.push({ type: 'extra', of: 'gemini', choice, name: Object.keys(part)[0] ?? '', value: part })
  return events
}

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\n`

const languageOf = (language: unknown): string =>
  typeof language === 'string' && language !== 'LANGUAGE_UNSPECIFIED' ? language.toLowerCase() : ''

/**
 * Detects the last response of a stream, which has no end mark: every candidate with content has a `finishReason`, and
 * usage came with the last of these or later. Both are required: Google sends usage with the reason, or after it;
 * Vertex has sent `STOP` with every response and usage with the last, and gateways that imitate it send `STOP` in empty
 * responses at the start. A class: one is created for each stream.
 */
class LastResponse {
  private readonly open = new Set<number>()
  private hasFinished = false

  is(events: readonly AnswerEvent[]): boolean {
    let hasFigures = false
    for (const event of events) {
      if (event.type === 'finish') {
        this.open.delete(event.choice)
        this.hasFinished = true
      } else if (event.type === 'usage') hasFigures = true
      else if ('choice' in event) this.open.add(event.choice)
    }
    return hasFigures && this.hasFinished && this.open.size === 0
  }
}
