import { isObject, type JsonObject, objectIn, own, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import { argumentsIn } from '../call-arguments.ts'
import type { ExtraPart, Part, Turn } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { fencedWords, searchWords } from '../vendor-search.ts'
import { resultIn } from './function-response.ts'
import { mediaIn } from './media.ts'
import { messageIn, messagesIn } from './message.ts'
import { type SignatureRead, signatureIn } from './thought-signature.ts'
import { ownToolOf, searchesIn } from './tool-parts.ts'

/** The roles of a content; tool results once had separate ones. */
const roles: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  model: 'assistant',
  assistant: 'assistant',
  function: 'user',
  tool: 'user',
  system: 'system',
}

/** The members of a part that are converted; the others are stored as an extra after it. */
const content = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse']
const known = [...content, 'thought', 'thoughtSignature', 'mediaResolution']

/** An extra: a whole part that only this dialect knows, or additional members of the preceding part. */
type ExtraValue = Readonly<{ alone: JsonObject } | { beside: JsonObject }>

export function systemIn(value: unknown): Turn | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return { role: 'system', parts: [{ type: 'text', text: value }] }
  return { role: 'system', parts: partsIn(messageIn(value).parts, createCallNames(String)) }
}

/** Reads `contents`: a list, a single content or a text; throws for others. Assigns ids to calls without one. */
export function turnsIn(value: unknown, newCallId: () => string): readonly Turn[] {
  if (typeof value === 'string') return [{ role: 'user', parts: [{ type: 'text', text: value }] }]
  if (!isObject(value) && !Array.isArray(value)) throw malformed('contents')
  const callNames = createCallNames(newCallId)
  return messagesIn(value).map((wire) => {
    const role = own(roles, textIn(wire.role) || 'user')
    if (role === undefined) throw malformed('contents.role')
    return { role, parts: partsIn(wire.parts, callNames) }
  })
}

function partsIn(value: unknown, callNames: CallNames): readonly Part[] {
  const parts: Part[] = []
  for (const wire of messagesIn(value)) addPart(parts, wire, callNames)
  return parts
}

function addPart(parts: Part[], wire: JsonObject, callNames: CallNames): void {
  const others = Object.entries(wire).filter(([name]) => !known.includes(name))
  const [first] = others
  const isKnown = content.some((name) => wire[name] !== undefined)
  const isThoughtFile = wire.thought === true && typeof wire.text !== 'string'
  if (!isKnown || isThoughtFile) {
    const name = first?.[0] ?? (isThoughtFile ? 'thought' : undefined)
    const ran = executionIn(wire) ?? searchPartIn(wire)
    if (ran) parts.push(ran)
    else if (name !== undefined && ownToolOf(wire)) parts.push({ ...extra(name, { alone: wire }), isCovered: true })
    else if (name !== undefined) parts.push(extra(name, { alone: wire }))
    else addSigned(parts, wire)
    return
  }
  if (typeof wire.text === 'string' && wire.thought === true)
    addThought(parts, wire.text, signatureIn(wire.thoughtSignature))
  else if (wire.functionCall !== undefined) addCall(parts, wire, callNames)
  else addContent(parts, wire, callNames)
  if (first) parts.push(extra(first[0], { beside: Object.fromEntries(others) }))
}

/** Converts code that the vendor ran, or its output, to text; the vendor itself gets the original part. */
function executionIn(wire: JsonObject): Part | undefined {
  const { code, language } = messageIn(wire.executableCode)
  const { output } = messageIn(wire.codeExecutionResult)
  const original = { of: 'gemini', value: wire } as const
  if (typeof code === 'string') return { type: 'text', text: fencedWords(languageOf(language), code), original }
  return typeof output === 'string' ? { type: 'text', text: fencedWords('output', output), original } : undefined
}

/**
 * Converts a `toolCall` of the vendor's web search or URL context to text; the vendor itself gets the original part.
 */
function searchPartIn(wire: JsonObject): Part | undefined {
  const [search, ...more] = searchesIn(wire)
  if (!search) return undefined
  const text = [search, ...more].map(searchWords).join('')
  return { type: 'text', text, search: { by: 'gemini', search }, original: { of: 'gemini', value: wire } }
}

const languageOf = (language: unknown): string =>
  typeof language === 'string' && language !== 'LANGUAGE_UNSPECIFIED' ? language.toLowerCase() : ''

/** A signature on anything but a thought part or a call belongs to hidden reasoning. */
function addSigned(parts: Part[], wire: JsonObject): boolean {
  const signed = signatureIn(wire.thoughtSignature)
  if (signed) parts.push({ type: 'reasoning', text: '', signature: signed.signature, redacted: true })
  return signed !== undefined
}

function addContent(parts: Part[], wire: JsonObject, callNames: CallNames): void {
  const isSigned = addSigned(parts, wire)
  if (typeof wire.text === 'string') {
    if (wire.text !== '' || !isSigned) parts.push({ type: 'text', text: wire.text })
    return
  }
  if (wire.functionResponse !== undefined) {
    const response = messageIn(wire.functionResponse)
    const name = textIn(response.name) ?? ''
    const callId = callNames.answered(name, textIn(response.id) || undefined)
    const { content: resultContent, isError } = resultIn(response)
    parts.push({ type: 'tool-result', callId, name, content: resultContent, ...(isError && { isError }) })
    return
  }
  const media = mediaIn(wire)
  if (!media) throw malformed('contents.parts')
  parts.push(media)
}

/** Another vendor's signature, at the end of streamed reasoning, covers the pieces before it. */
function addThought(parts: Part[], text: string, signed: SignatureRead | undefined): void {
  if (!signed) {
    parts.push({ type: 'reasoning', text })
    return
  }
  const { signature, redacted } = signed
  const texts = [text]
  while (signature.by !== 'gemini' && !redacted) {
    const last = parts.at(-1)
    if (last?.type !== 'reasoning' || last.signature) break
    parts.pop()
    texts.push(last.text)
  }
  parts.push({ type: 'reasoning', text: texts.reverse().join(''), signature, ...(redacted && { redacted }) })
}

function addCall(parts: Part[], wire: JsonObject, callNames: CallNames): void {
  const call = messageIn(wire.functionCall)
  const name = textIn(call.name)
  if (name === undefined) throw malformed('contents.parts.functionCall.name')
  const signature = signatureIn(wire.thoughtSignature)?.signature
  const id = callNames.called(name, textIn(call.id) || undefined)
  const args = argumentsIn(objectIn(call.args))
  parts.push({ type: 'tool-call', id, name, arguments: args, ...(signature && { signature }) })
}

const extra = (name: string, value: ExtraValue): ExtraPart => ({ type: 'extra', of: 'gemini', name, value })

/** Assigns results to calls: the vendor's clients may omit ids and match by name and order. */
type CallNames = Readonly<{
  /** Records a call and returns its id: the client's, or a new one. */
  called(name: string, id: string | undefined): string
  /**
   * Returns the id of the call for a result: the given id if a call with it is open, else that of the oldest open call
   * of that name, else the given id or a new one.
   */
  answered(name: string, id: string | undefined): string
}>

type OpenCall = { readonly id: string; isOpen: boolean }

function createCallNames(newCallId: () => string): CallNames {
  const byId = createQueues()
  const byName = createQueues()
  return {
    called(name, id) {
      const call = { id: id ?? newCallId(), isOpen: true }
      byId.add(call.id, call)
      byName.add(name, call)
      return call.id
    },
    answered(name, id) {
      const call = (id === undefined ? undefined : byId.oldest(id)) ?? byName.oldest(name)
      if (!call) return id ?? newCallId()
      call.isOpen = false
      return call.id
    },
  }
}

function createQueues() {
  const queues = new UntrustedMap<string, { readonly calls: OpenCall[]; next: number }>()
  return {
    add(key: string, call: OpenCall): void {
      const queue = queues.get(key)
      if (queue) queue.calls.push(call)
      else queues.set(key, { calls: [call], next: 0 })
    },
    oldest(key: string): OpenCall | undefined {
      const queue = queues.get(key)
      if (!queue) return undefined
      while (queue.calls[queue.next]?.isOpen === false) queue.next += 1
      return queue.calls[queue.next]
    },
  }
}
