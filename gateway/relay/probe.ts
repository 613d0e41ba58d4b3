import { refuse } from '../base/errors.ts'
import { isObject, type JsonObject, objectIn, parsed } from '../base/json.ts'
import { usageOf } from '../billing/usage.ts'
import type { ActiveChannel } from '../channels/active-channel.ts'
import type { ChatAddress, Probe, ProbeAsk } from '../channels/probe.ts'
import type { Codecs } from './codecs.ts'
import { createEventTap } from './event-tap.ts'
import { exchange, type UpstreamReply } from './exchange.ts'
import type { AnswerFrame, DialectSettings } from './formats/codec.ts'
import { usageIn } from './formats/openai/usage.ts'
import { errorText, gatherAnswer } from './gather.ts'
import { Waiting } from './patience.ts'
import type { Pools } from './pools.ts'
import { providerFor } from './providers/index.ts'
import { type Provider, type Target, unasked } from './providers/provider.ts'
import { conversationFormat, type Endpoint } from './surface.ts'
import { translation } from './translation.ts'
import { isConversation, wayTo } from './way.ts'

export type ProbeDeps = Readonly<{
  pools: Pools
  codecs: Codecs
  dialects: () => DialectSettings
  geminiVersion: (model: string) => string
  userAgent: string
}>

/**
 * Asks a channel for its own sake: the request an administrator's test sends, outside selection, retry and billing. Asks
 * and answers are OpenAI's dialect; a vendor that speaks another is asked in its own.
 */
export function createProbe(deps: ProbeDeps): Probe {
  return async (channel, ask) => {
    const { model, timeoutMs, isStream = false } = ask
    const provider = providerFor(channel.typeName)
    const way = wayTo(provider, ask.endpoint)
    if (!provider || !way) throw refuse('invalid', 'channel.test_unsupported')
    const { geminiVersion } = deps
    const target: Target = { channel, model, endpoint: way, stream: isStream, ...unasked, geminiVersion }
    const url = URL.parse(provider.paths[way]?.(target) ?? '')
    if (!url) throw refuse('invalid', 'channel.test_unsupported')
    const started = performance.now()
    const headers = {
      'content-type': 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      'user-agent': deps.userAgent,
      ...provider.headers(target),
    }
    const options = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body: JSON.stringify(bodyFor(deps, provider, target, ask)),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    } as const
    const { status, text } = await patiently(deps, channel, url.origin, options, timeoutMs)
    const answer = status >= 200 && status <= 299 ? readBack(deps, way, ask, text) : { text, json: parsed(text) }
    const usage = usageIn(objectIn(answer.json).usage)
    return {
      status,
      ...answer,
      ms: Math.round(performance.now() - started),
      ...(usage ? { usage: { promptTokens: usage.prompt, completionTokens: usage.completion } } : {}),
    }
  }
}

/** Where a chat call over the channel would go, as the relay itself would send it. */
export const chatAddress: ChatAddress = (channel, model) => {
  const provider = providerFor(channel.typeName)
  const way = wayTo(provider, 'chat')
  return way && provider?.paths[way]?.({ channel, model, endpoint: way, stream: false, ...unasked })
}

type Asked = Parameters<typeof exchange>[1]

async function patiently(deps: ProbeDeps, channel: ActiveChannel, origin: string, options: Asked, timeoutMs: number) {
  const waiting = new Waiting()
  const timer = setTimeout(() => waiting.end(), timeoutMs)
  try {
    return await exchange(deps.pools.for(origin, channel.setting.proxy), options, waiting).then(readText)
  } catch (cause) {
    throw waiting.over ? refuse('timeout', 'relay.upstreamTimeout', {}, { cause }) : cause
  } finally {
    clearTimeout(timer)
  }
}

/** The question in the vendor's dialect. */
function bodyFor(deps: ProbeDeps, provider: Provider, target: Target, ask: ProbeAsk): object {
  const { model, body, isStream = false } = ask
  const { endpoint: way } = target
  const wire: JsonObject = { ...body, model }
  const bridge = provider.bridges?.[way]
  if (bridge) return bridge.request(wire, target, () => {})
  if (way === ask.endpoint || !isConversation(way)) return wire
  const conversation = deps.codecs.openai.decodeRequest(wire, model, isStream)
  return deps.codecs[conversationFormat[way]].encodeRequest(conversation, {
    model,
    streamOptions: false,
    cacheMarks: false,
    strictOpenai: provider.isStrict ?? false,
    settings: deps.dialects(),
    drop: () => {},
  })
}

/** A good answer as OpenAI's dialect has it; what is no answer stays as it came. */
function readBack(deps: ProbeDeps, way: Endpoint, ask: ProbeAsk, text: string): { text: string; json: unknown } {
  const json = parsed(text)
  if (way === ask.endpoint || !isConversation(way)) return { text, json }
  const codec = deps.codecs[conversationFormat[way]]
  const frame = frameOf(ask.model)
  if (ask.isStream) {
    const encoder = deps.codecs.openai.encodeStream(frame)
    const passage = translation(codec.decodeStream(), encoder, createEventTap(ask.model))
    return { text: `${passage.feed(Buffer.from(text))}${passage.end()}`, json: undefined }
  }
  if (!isObject(json) || json.error) return { text, json }
  const events = codec.decodeAnswer(json)
  const tap = createEventTap(ask.model)
  for (const event of events) tap.take(event)
  if (!tap.produced() && !tap.seen.finished) return { text, json }
  return { text, json: deps.codecs.openai.encodeAnswer(events, frame, tap.seen.usage ?? usageOf({})) }
}

const frameOf = (model: string): AnswerFrame => ({
  id: 'probe',
  model,
  created: 0,
  wantsUsage: true,
  promptTokens: () => 0,
  request: {},
  customTools: new Set(),
})

async function readText(reply: UpstreamReply): Promise<{ status: number; text: string }> {
  const { status } = reply
  const good = status >= 200 && status <= 299
  return { status, text: good ? (await gatherAnswer(reply)).toString('utf8') : await errorText(reply) }
}
