import { type JsonObject, textIn } from '../../../base/json/json.ts'
import type { FinishReason } from '../events.ts'
import { messageIn, messagesIn } from './message.ts'

/**
 * The vendor's other finish reasons, in addition to `filters` and `slips` (docs/reference/conversion.md#stop-reasons).
 */
const reasons: Readonly<Record<string, FinishReason>> = { STOP: 'stop', MAX_TOKENS: 'length' }

/** Finish reasons caused by the content: output the vendor withholds, or input it cannot read. */
const filters = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_OTHER',
  'NO_IMAGE',
])

/** Finish reasons caused by the model, such as a malformed call, a call of an unknown tool, or too many calls. */
const slips: readonly unknown[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
]

/** Matches part of the text of a response that may have ended with one of `slips`. */
export const SLIP_MARK = new RegExp(`"finish_?[rR]eason"\\s*:\\s*"(?:${slips.join('|')})"`)

/**
 * Returns the vendor's description of a model error that ended a response without content; undefined for a response
 * with content or another finish reason (docs/reference/conversion.md#stop-reasons).
 */
export function slipIn(responses: readonly unknown[]): string | undefined {
  const candidates = responses.flatMap((response) => messagesIn(messageIn(response).candidates))
  const slip = candidates.findLast(({ finishReason }) => slips.includes(finishReason))
  if (!slip || !candidates.every(isEmpty)) return undefined
  const message = textIn(slip.finishMessage)
  return `${slip.finishReason}${message ? `: ${message}` : ''}`
}

const isEmpty = ({ content, finishReason }: JsonObject): boolean =>
  (finishReason === undefined || slips.includes(finishReason)) &&
  messagesIn(messageIn(content).parts).every(({ text, thought, thoughtSignature: _, ...others }) => {
    const isText = typeof text === 'string' && text !== '' && thought !== true
    return !isText && Object.keys(others).length === 0
  })

/**
 * Reads `finishReason`; undefined while the response continues. With any tool call it is `tool-calls`; a model error
 * (`slips`) becomes `stop` (docs/reference/conversion.md#stop-reasons).
 */
export function finishIn(value: unknown, hasCalls: boolean): FinishReason | undefined {
  if (typeof value !== 'string' || value === '' || value === 'FINISH_REASON_UNSPECIFIED') return undefined
  if (hasCalls) return 'tool-calls'
  if (slips.includes(value)) return 'stop'
  return filters.has(value) ? 'filter' : (reasons[value] ?? value)
}

/** Unknown words are passed on. */
export function finishOut(reason: FinishReason): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filter') return 'SAFETY'
  return ['stop', 'stop-sequence', 'tool-calls', 'pause'].includes(reason) ? 'STOP' : reason
}
