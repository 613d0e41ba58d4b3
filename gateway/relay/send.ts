import { channelTypes } from '../../shared/channel-types.ts'
import type { ActiveChannel } from '../channels/active-channel.ts'
import { mappedModel } from '../channels/model-name.ts'
import { exchange, type UpstreamReply } from './exchange.ts'
import { errorText, gatherAnswer, transportError } from './gather.ts'
import { isEventStream } from './headers.ts'
import type { Patience } from './patience.ts'
import type { Pools } from './pools.ts'
import { promptSize } from './prompt-size.ts'
import { providerFor } from './providers/index.ts'
import type { Call } from './understand.ts'
import { upstreamBody } from './upstream-body.ts'
import { errorInAnswer, readError, UpstreamError } from './upstream-error.ts'

/** An upstream's good answer: read whole, or a stream whose first bytes are in. */
export type Answer = Readonly<{
  channel: ActiveChannel
  /** The upstream's name of the model. */
  upstreamModel: string
  reply: UpstreamReply
  body: Readonly<{ kind: 'whole'; bytes: Buffer; json: unknown }> | Readonly<{ kind: 'stream'; dropUsage: boolean }>
}>

export type SendDeps = Readonly<{ pools: Pools; passThrough: () => boolean; userAgent: string }>

/** Whether a channel can be asked at all: its wire is spoken, its vendor offers the endpoint, the prompt is not too long. */
export const canAnswer = (channel: ActiveChannel, call: Call): boolean =>
  channel.baseUrl !== '' &&
  providerFor(channel.typeName)?.paths[call.endpoint] !== undefined &&
  (channel.maxInputTokens === 0 || promptSize(call) <= channel.maxInputTokens)

/**
 * Asks one channel once. Throws `UpstreamError` for everything that is not a good answer, an error inside a good status
 * and an empty or unreadable body included; nothing has reached the caller then, so another channel may be tried.
 */
export async function send(deps: SendDeps, channel: ActiveChannel, call: Call, patience: Patience): Promise<Answer> {
  const upstreamModel = mappedModel(call.model, channel.modelMapping)
  const { reply, addedUsage } = await ask(deps, channel, call, upstreamModel, patience)
  if (reply.status < 200 || reply.status > 299) {
    const status = channel.statusMapping.get(reply.status) ?? reply.status
    throw readError(status, await errorText(reply), first(reply.headers['retry-after']))
  }
  if (isEventStream(reply.headers)) {
    await begin(reply)
    return { channel, upstreamModel, reply, body: { kind: 'stream', dropUsage: addedUsage } }
  }
  return { channel, upstreamModel, reply, body: { kind: 'whole', ...readWhole(await gatherAnswer(reply)) } }
}

async function ask(deps: SendDeps, channel: ActiveChannel, call: Call, model: string, patience: Patience) {
  const provider = providerFor(channel.typeName)
  const target = { channel, model, endpoint: call.endpoint }
  const url = deps.pools.place(provider?.paths[call.endpoint]?.(target) ?? '')
  if (!provider || !url) throw new UpstreamError(502, 'the address of the channel is not valid', { transport: true })
  const { streamOptions } = channelTypes[channel.typeName]
  const { bytes, addedUsage } = upstreamBody(call, channel, model, streamOptions, deps.passThrough())
  const headers = {
    'content-type': 'application/json',
    accept: call.stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': deps.userAgent,
    ...provider.headers(target),
  }
  const { origin, path } = url
  const options = { origin, path, method: 'POST', headers, body: bytes, ...deps.pools.waits } as const
  try {
    return { reply: await exchange(deps.pools.for(origin, channel.setting.proxy), options, patience), addedUsage }
  } catch (cause) {
    throw transportError(cause)
  }
}

/** Waits for a stream's first bytes, so that one that breaks or fails before them can still go to another channel. */
async function begin(reply: UpstreamReply): Promise<void> {
  let first: Buffer
  try {
    first = await reply.begun()
  } catch (cause) {
    throw transportError(cause)
  }
  const error =
    first.subarray(0, START_BYTES).includes('"error"') && errorAtStart(first.toString('utf8', 0, START_BYTES))
  if (!error) return
  reply.abort()
  throw error
}

const START_BYTES = 4096
const FIRST_DATA = /^data: ?(.*)$/m
const CUT_ERROR = /^\{\s*"error"\s*:\s*[{"]/

/** The error that a stream begins with, as far as its first bytes tell; `"error": null` is none. */
function errorAtStart(text: string): UpstreamError | undefined {
  const payload = FIRST_DATA.exec(text)?.[1] ?? ''
  try {
    return errorInAnswer(JSON.parse(payload))
  } catch {
    return CUT_ERROR.test(payload) ? readError(502, payload) : undefined
  }
}

function readWhole(bytes: Buffer): { bytes: Buffer; json: unknown } {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new UpstreamError(502, 'the upstream sent an answer that could not be read', { cause })
  }
  if (typeof json !== 'object' || json === null)
    throw new UpstreamError(502, 'the upstream sent an answer that could not be read')
  const error = errorInAnswer(json)
  if (error) throw error
  return { bytes, json }
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
