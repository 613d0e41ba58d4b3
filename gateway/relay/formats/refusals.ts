import { type GatewayError, refuse } from '../../base/errors.ts'
import type { Refusable } from '../capabilities/chat-models.ts'
import type { Conversation } from './conversation.ts'
import { type Format, formatLabels } from './format.ts'

/**
 * Creates the error for something that the target cannot express and that would change the meaning if left out. `field`
 * is its name in the conversation, as in `drop`.
 */
export const cannotSay = (field: string, format: Format): GatewayError =>
  refuse(
    'invalid',
    'relay.cannotConvert',
    { field, target: formatLabels[format] },
    {
      code: 'convert_request_failed',
      param: field,
    },
  )

/** Creates the error for a request that violates its dialect. `field` is the path. */
export const malformed = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })

/**
 * Max bytes of a line in an upstream's stream: some eight images in base64 (docs/reference/streams.md#time-outs).
 */
export const MAX_LINE_LENGTH = 32 * 1024 * 1024

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

export function withoutRefused(
  conversation: Conversation,
  refused: readonly Refusable[],
  drop: (name: string) => void,
): Conversation {
  const present = refused.filter((name) => conversation[name] !== undefined)
  for (const name of present) drop(name)
  return present.length === 0
    ? conversation
    : { ...conversation, ...Object.fromEntries(present.map((name) => [name, undefined])) }
}
