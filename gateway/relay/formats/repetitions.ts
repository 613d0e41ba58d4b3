import { refuse } from '../../base/errors.ts'
import { UntrustedMap } from '../../base/untrusted-keys.ts'
import type { Conversation } from './conversation.ts'

/** Characters that any request may repeat, however short it is. */
const ALLOWANCE = 1024 * 1024

/**
 * Throws if what all vendors' formats repeat is much longer than the request: id and name of a call for each of its
 * results, and the seals of calls and reasoning. A small request could otherwise become a huge one.
 */
export function checkRepetitions({ turns }: Conversation, received: number): void {
  let length = 0
  for (const { parts } of turns)
    for (const part of parts) {
      if (part.type === 'tool-call' || part.type === 'reasoning') length += part.signature?.value.length ?? 0
      if (part.type === 'tool-result') length += part.callId.length + (part.name?.length ?? 0)
    }
  if (length > 2 * received + ALLOWANCE) throw tooMany()
}

/** Throws if arguments would become much longer in a format that repeats a call with each of its results. */
export function checkRepeatedArguments({ turns }: Pick<Conversation, 'turns'>): void {
  const lengths = new UntrustedMap<string, number>()
  let total = 0
  let repeated = 0
  for (const { parts } of turns)
    for (const part of parts) {
      if (part.type !== 'tool-call') continue
      total += part.arguments.length
      lengths.set(part.id, Math.max(lengths.get(part.id) ?? 0, part.arguments.length))
    }
  for (const { parts } of turns)
    for (const part of parts) if (part.type === 'tool-result') repeated += lengths.get(part.callId) ?? 0
  if (repeated > 2 * total + ALLOWANCE) throw tooMany()
}

const tooMany = () =>
  refuse(
    'invalid',
    'relay.badRequest',
    { reason: 'tool results refer too often to calls with a long id, name, arguments or signature' },
    { code: 'invalid_text_request' },
  )
