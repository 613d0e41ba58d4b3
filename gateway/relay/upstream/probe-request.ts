import { channelTypes } from '../../../shared/channel-types.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ProbeAsk } from '../../channels/testing/probe.ts'
import type { Settings } from '../../settings/settings.ts'
import { type ChannelAsk, channelAsk } from '../adaptation/channel-adaptation.ts'
import { convert, writtenFor } from '../adaptation/convert.ts'
import { bridgedRequest } from '../adaptation/bridging.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { Patience } from '../model/cancellation.ts'
import type { Provider, Target } from '../providers/provider.ts'
import { unasked } from '../providers/provider.ts'
import type { Speech } from './dialect-runtime.ts'
import type { Endpoint, Route } from '../intake/surface.ts'
import { jsonBody, understood } from '../intake/parse.ts'
import { upstreamBody } from '../adaptation/upstream-body.ts'
import { UNCHANGED, vendorEdits } from '../adaptation/vendor-edits.ts'
import { isTalk, wireOf } from './upstream-endpoint.ts'

export type ProbeRequestDeps = Speech & Readonly<{ settings: Pick<Settings, 'get'> }>

/** A test's question as it goes to a vendor; `asked` is the question before it got the vendor's shape. */
export type ProbeRequest = Readonly<{ target: Target; bytes: Buffer; asked: Json }>

/** Over which channel, the vendor's endpoint that answers, and how long anybody waits. */
export type ProbePlace = Readonly<{ provider: Provider; channel: ActiveChannel; way: Endpoint; patience: Patience }>

/**
 * Writes a question as the relay writes a caller's: with what the model's name asks for, the channel's own instructions
 * and overrides, and in the vendor's dialect. Throws refusals for what the vendor cannot be told.
 */
export async function probeRequest(deps: ProbeRequestDeps, place: ProbePlace, ask: ProbeAsk): Promise<ProbeRequest> {
  const { provider, channel, way } = place
  const { settings, geminiVersion, claudeHeaders, passes } = deps
  const passThrough = () => settings.get('global.pass_through_request_enabled')
  const call = await understood({ route: routeOf(ask) }, await bodyOf(ask))
  const asking = channelAsk({ settings, passThrough }, provider, channel, call, way, ask.model)
  const { model } = asking.wish
  const { stream } = call
  const target = {
    channel,
    model,
    asked: ask.model,
    endpoint: way,
    stream,
    ...unasked,
    geminiVersion,
    claudeHeaders,
    passes,
  }
  return { target, bytes: await written(deps, place, asking, target), asked: call.json }
}

const routeOf = ({ endpoint }: ProbeAsk): Route => ({
  format: endpoint === 'responses' ? 'responses' : 'openai',
  endpoint,
  playground: false,
})

const bodyOf = ({ body, model }: ProbeAsk) => jsonBody(Buffer.from(JSON.stringify({ ...body, model })))

/** The three ways of `send.ts`: a shape of the vendor's own, the caller's body, another dialect. */
async function written(
  deps: ProbeRequestDeps,
  { provider, channel, way, patience }: ProbePlace,
  { call, named, wish, passThrough, isUntouched }: ChannelAsk,
  asking: Target,
): Promise<Buffer> {
  const { model } = wish
  const takesStreamOptions = channelTypes[channel.typeName].streamOptions
  const bridge = provider.bridges?.[way]
  if (bridge && !isTalk(way)) return bridgedRequest(call, asking, bridge).bytes
  const vendor = { provider, target: asking, named }
  const wire = wireOf(deps.codecs, provider, way)
  if (way === call.endpoint || !isTalk(way) || !wire) {
    const { edits } = passThrough ? UNCHANGED : vendorEdits(vendor, call.json, wish.edits)
    return upstreamBody(call, channel, { model, takesStreamOptions, passThrough, isUntouched, edits }).bytes
  }
  const target = writtenFor(deps, channel, provider, model)
  const withMedia = async (conversation: Conversation) => conversation
  const place = { way, takesUrls: provider.takesUrls ?? true, patience, room: undefined }
  const { bytes } = await convert(
    { codecs: deps.codecs, withMedia },
    { call, vendor, place, wire, target, adapt: wish.adapt },
  )
  return bytes
}
