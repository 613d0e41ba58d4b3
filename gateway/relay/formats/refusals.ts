import { type GatewayError, refuse } from '../../base/errors.ts'
import type { Refusable } from '../capabilities/chat-models.ts'
import type { Conversation } from './conversation.ts'
import { type Format, formatLabels } from './format.ts'

/** The target cannot be told something without which the request would mean something else. `field` is its name in the conversation, as in `drop`. */
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

/** Something in the request is not what its dialect says it must be. `field` is where it stands. */
export const malformed = (field: string): GatewayError =>
  refuse('invalid', 'relay.fieldInvalid', { field }, { code: 'invalid_request', param: field })

/**
 * The longest line an upstream's stream may have: one image of the largest size, in base64
 * (docs/reference/streams.md#time-outs).
 */
export const MAX_LINE_LENGTH = 32 * 1024 * 1024

/** An upstream's stream sent a line longer than `MAX_LINE_LENGTH`. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

/** The conversation without what its model refuses; what is left out is told. */
export function withoutRefused(
  conversation: Conversation,
  refused: readonly Refusable[],
  drop: (name: string) => void,
): Conversation {
  const said = refused.filter((name) => conversation[name] !== undefined)
  for (const name of said) drop(name)
  return said.length === 0
    ? conversation
    : { ...conversation, ...Object.fromEntries(said.map((name) => [name, undefined])) }
}
