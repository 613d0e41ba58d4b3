import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import type { Format } from '../formats/format.ts'
import { errorEvent } from './error-shapes.ts'

/** The statuses under which vendors tell that a quota is used up. */
const statuses: Readonly<Record<Format, number>> = { openai: 429, responses: 429, anthropic: 402, gemini: 429 }

/** The event that ends a stream which its account cannot pay any further, as its vendor would tell it (spec/relay.md §5.5). */
export function quotaEvent(format: Format, requestId: string, locale: Locale): string {
  const message = `${formatMessage(locale, 'relay.streamQuota', {})} (request id: ${requestId})`
  const type = format === 'anthropic' ? 'billing_error' : 'insufficient_quota'
  return errorEvent(format, statuses[format], { message, type, param: '', code: 'insufficient_quota' })
}
