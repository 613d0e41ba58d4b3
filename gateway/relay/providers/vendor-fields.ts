import type { Json } from '../formats/codec.ts'
import type { Conversation } from '../formats/conversation.ts'
import { unsupportedField } from './vectors.ts'

const fields = [
  'maxOutput',
  'temperature',
  'topP',
  'topK',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'logProbabilities',
  'stop',
  'reasoning',
  'output',
  'voice',
  'user',
  'cacheKey',
] as const

/**
 * What a vendor supports in addition to the turns: fields of a conversation, and its own members of OpenAI's dialect.
 */
export type VendorFields = Readonly<{
  vendor: string
  fields: readonly (typeof fields)[number][]
  own: readonly string[]
}>

/**
 * Returns the caller's members that are the vendor's own, unchanged. Reports the other fields that the vendor does not
 * support, except `store`; throws for several choices, images and audio.
 */
export function ownMembers(conversation: Conversation, supported: VendorFields, drop: (name: string) => void): Json {
  const { choices, modalities, shared, extras } = conversation
  if (choices !== undefined && choices > 1) throw unsupportedField(supported.vendor, 'choices')
  if (modalities?.some((kind) => kind !== 'text')) throw unsupportedField(supported.vendor, 'modalities')
  for (const name of fields) if (conversation[name] !== undefined && !supported.fields.includes(name)) drop(name)
  for (const name in shared) if (name !== 'store') drop(name)
  const own: Record<string, unknown> = {}
  for (const name in extras.fields)
    if (extras.from === 'openai' && supported.own.includes(name)) own[name] = extras.fields[name]
    else drop(name)
  return own
}
