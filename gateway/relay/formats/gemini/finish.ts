import type { FinishReason } from '../events.ts'

/** The vendor's words for an end (docs/reference/conversion.md#stop-reasons), besides those of `filters`. */
const reasons: Readonly<Record<string, FinishReason>> = { STOP: 'stop', MAX_TOKENS: 'length' }

/** Ends for which the vendor, not the model, is to blame: content it will not give out, or cannot read. */
const filters = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MODEL_ARMOR',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  'IMAGE_OTHER',
  'NO_IMAGE',
])

/**
 * Reads `finishReason`; undefined while the answer goes on. Any tool call makes it the tools' end
 * (docs/reference/conversion.md#gemini-to-openai).
 */
export function finishIn(value: unknown, hasCalls: boolean): FinishReason | undefined {
  if (typeof value !== 'string' || value === '' || value === 'FINISH_REASON_UNSPECIFIED') return undefined
  if (hasCalls) return 'tool-calls'
  return filters.has(value) ? 'filter' : (reasons[value] ?? value)
}

/** Writes `finishReason`; words no table knows are passed on. */
export function finishOut(reason: FinishReason): string {
  if (reason === 'length') return 'MAX_TOKENS'
  if (reason === 'filter') return 'SAFETY'
  return ['stop', 'stop-sequence', 'tool-calls', 'pause'].includes(reason) ? 'STOP' : reason
}
