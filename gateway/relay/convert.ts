import type { ActiveChannel } from '../channels/active-channel.ts'
import type { Codecs } from './codecs.ts'
import type { RequestTarget, Wire } from './formats/codec.ts'
import type { Conversation } from './formats/conversation.ts'
import { fieldName } from './formats/field-names.ts'
import type { Patience } from './patience.ts'
import type { Call } from './understand.ts'
import { FIXED } from './upstream-body.ts'
import type { TalkEndpoint } from './way.ts'

/** A request in the upstream's dialect, and what of it could not be said there, in the caller's names. */
export type Converted = Readonly<{ bytes: Buffer; dropped: readonly string[] }>

export type ConvertDeps = Readonly<{
  codecs: Codecs
  /** The conversation with files named by URL fetched, where the dialect takes no URLs. */
  withMedia: (conversation: Conversation, place: MediaPlace) => Promise<Conversation>
}>

/** For which upstream files are fetched, and how long the caller waits. */
export type MediaPlace = Readonly<{ way: TalkEndpoint; takesUrls: boolean; patience: Patience }>

/** What a request is written for. */
export type Conversion = Readonly<{
  call: Call
  channel: ActiveChannel
  place: MediaPlace
  /** How the upstream is spoken to. */
  wire: Wire
  target: Omit<RequestTarget, 'drop'>
  /** What the model's name asks for. */
  adapt: (conversation: Conversation) => Conversation
}>

/**
 * Writes a call in the dialect of another endpoint. Throws refusals (kind `invalid`) for what is malformed and for what
 * the dialect cannot say.
 */
export async function convert(
  { codecs, withMedia }: ConvertDeps,
  { call, channel, place, wire: upstream, target, adapt }: Conversion,
): Promise<Converted> {
  const { way } = place
  const dropped = new Set<string>()
  const drop = (name: string) => void dropped.add(fieldName(name, call.format))
  const decoded = codecs[call.format].decodeRequest(call.json, call.model, call.stream)
  const conversation = await withMedia(adapt(decoded), place)
  const encoded = upstream.encodeRequest(conversation, { ...target, drop })
  const wire: Record<string, unknown> = { ...encoded }
  if (call.route.playground) dropped.delete('group')
  if (call.stream && way === 'chat' && target.streamOptions) wire.stream_options = { include_usage: true }
  for (const [field, value] of Object.entries(channel.paramOverride ?? {})) if (!FIXED.has(field)) wire[field] = value
  return { bytes: Buffer.from(JSON.stringify(wire)), dropped: [...dropped] }
}
