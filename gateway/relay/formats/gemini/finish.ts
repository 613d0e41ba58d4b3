import { type JsonObject, textIn } from '../../../base/json/json.ts'
import type { FinishReason } from '../events.ts'
import { messageIn, messagesIn } from './message.ts'

/** The vendor's words for an end (docs/reference/conversion.md#stop-reasons), besides those of `filters` and `slips`. */
const reasons: Readonly<Record<string, FinishReason>> = { STOP: 'stop', MAX_TOKENS: 'length' }

/** Ends for which the content is to blame: what the vendor will not give out, or cannot read. */
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

/** Ends for which the model is to blame: a call nobody can read, none that was offered, or one too many. */
const slips: readonly unknown[] = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'OTHER',
]

/** What a response's text has in it where it may have ended for a slip. */
export const SLIP_MARK = new RegExp(`"finish_?[rR]eason"\\s*:\\s*"(?:${slips.join('|')})"`)

/**
 * How an answer of these responses ended that says nothing for a slip of the model's, in the vendor's words; undefined for
 * one that says something, and for other ends (docs/reference/conversion.md#stop-reasons).
 */
export function slipIn(responses: readonly unknown[]): string | undefined {
  const candidates = responses.flatMap((response) => messagesIn(messageIn(response).candidates))
  const slip = candidates.findLast(({ finishReason }) => slips.includes(finishReason))
  if (!slip || !candidates.every(isSilent)) return undefined
  const said = textIn(slip.finishMessage)
  return `${slip.finishReason}${said ? `: ${said}` : ''}`
}

/** Whether a candidate has nothing but thoughts and signatures, and no other end. */
const isSilent = ({ content, finishReason }: JsonObject): boolean =>
  (finishReason === undefined || slips.includes(finishReason)) &&
  messagesIn(messageIn(content).parts).every(({ text, thought, thoughtSignature: _, ...others }) => {
    const isSaid = typeof text === 'string' && text !== '' && thought !== true
    return !isSaid && Object.keys(others).length === 0
  })

/**
 * Reads `finishReason`; undefined while the answer goes on. Any tool call makes it the tools' end, and a slip of the
 * model's is a plain one (docs/reference/conversion.md#stop-reasons).
 */
export function finishIn(value: unknown, hasCalls: boolean): FinishReason | undefined {
  if (typeof value !== 'string' || value === '' || value === 'FINISH_REASON_UNSPECIFIED') return undefined
  if (hasCalls) return 'tool-calls'
  if (slips.includes(value)) return 'stop'
  return filters.has(value) ? 'filter' : (reasons[value] ?? value)
}

/** Writes `finishReason`; words no table knows are passed on. */
export function finishOut(reason: FinishReason): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filter') return 'SAFETY'
  return ['stop', 'stop-sequence', 'tool-calls', 'pause'].includes(reason) ? 'STOP' : reason
}
