import { refuse } from '../base/errors.ts'
import { isObject, type JsonObject, objectIn, parsed } from '../base/json.ts'
import { usageOf } from '../billing/usage.ts'
import type { ChatAddress, Probe, ProbeAsk } from '../channels/probe.ts'
import { type Asking, askVendor } from './ask-vendor.ts'
import type { Codecs } from './codecs.ts'
import { createEventTap } from './event-tap.ts'
import type { UpstreamReply } from './exchange.ts'
import type { AnswerFrame, DialectSettings, Wire } from './formats/codec.ts'
import { usageIn } from './formats/openai/usage.ts'
import { errorText, gatherAnswer } from './gather.ts'
import { Waiting } from './patience.ts'
import type { Pools } from './pools.ts'
import { providerFor } from './providers/index.ts'
import { type PassKeeper, type Provider, type Target, unasked } from './providers/provider.ts'
import { framedTranslation, translation } from './translation.ts'
import { edited, UNCHANGED, type VendorAsk, vendorEdits } from './vendor-edits.ts'
import { wayTo, wireOf } from './way.ts'

export type ProbeDeps = Readonly<{
  pools: Pools
  codecs: Codecs
  dialects: () => DialectSettings
  geminiVersion: (model: string) => string
  passes: PassKeeper
  now: () => number
  userAgent: string
}>

/**
 * Asks a channel for its own sake: the request an administrator's test sends, outside selection, retry and billing. Asks
 * and answers are OpenAI's dialect; a vendor that speaks another is asked in its own.
 */
export function createProbe(deps: ProbeDeps): Probe {
  return async (channel, ask) => {
    const { timeoutMs, isStream = false } = ask
    const provider = providerFor(channel.typeName)
    const way = wayTo(provider, ask.endpoint, ask.model)
    if (!provider || !way) throw refuse('invalid', 'channel.test_unsupported')
    const { geminiVersion, passes } = deps
    const named = provider.named?.(ask.model)
    const model = named?.model ?? ask.model
    const target: Target = { channel, model, endpoint: way, stream: isStream, ...unasked, geminiVersion, passes }
    const started = performance.now()
    const asking = {
      bytes: Buffer.from(JSON.stringify(bodyFor(deps, { provider, target, named }, ask))),
      type: 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      waits: { headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    }
    const { status, bytes } = await patiently(deps, provider, target, asking, timeoutMs)
    const wire = way === ask.endpoint ? undefined : wireOf(deps.codecs, provider, way)
    const isGood = status >= 200 && status <= 299
    const failed = isGood && !isStream ? provider.errorIn?.(parsed(bytes.toString())) : undefined
    if (failed) return { status: failed.status, text: bytes.toString(), json: { error: failed }, ms: msSince(started) }
    const answer = wire && isGood ? readBack(deps, wire, ask, bytes) : asItCame(bytes)
    const usage = usageIn(objectIn(answer.json).usage)
    return {
      status,
      ...answer,
      ms: msSince(started),
      ...(usage ? { usage: { promptTokens: usage.prompt, completionTokens: usage.completion } } : {}),
    }
  }
}

const msSince = (started: number): number => Math.round(performance.now() - started)

/** Where a chat call over the channel would go, as the relay itself would send it. */
export const chatAddress: ChatAddress = (channel, model) => {
  const provider = providerFor(channel.typeName)
  const way = wayTo(provider, 'chat', model)
  return way && provider?.paths[way]?.({ channel, model, endpoint: way, stream: false, ...unasked })
}

async function patiently(
  deps: ProbeDeps,
  provider: Provider,
  target: Target,
  asking: Asking,
  timeoutMs: number,
): Promise<{ status: number; bytes: Buffer }> {
  const waiting = new Waiting()
  const timer = setTimeout(() => waiting.end(), timeoutMs)
  try {
    return await askVendor(deps, provider, target, asking, waiting).then(readWhole)
  } catch (cause) {
    throw waiting.over ? refuse('timeout', 'relay.upstreamTimeout', {}, { cause }) : cause
  } finally {
    clearTimeout(timer)
  }
}

/** The question in the vendor's dialect. */
function bodyFor(deps: ProbeDeps, vendor: VendorAsk, ask: ProbeAsk): object {
  const { provider, target } = vendor
  const { body, isStream = false } = ask
  const { endpoint: way, model } = target
  const wire: JsonObject = { ...body, model }
  const bridge = provider.bridges?.[way]
  if (bridge?.request) return bridge.request(wire, target, () => {})
  const spoken = way === ask.endpoint ? undefined : wireOf(deps.codecs, provider, way)
  if (!spoken) return edited(wire, vendorEdits(vendor, wire, UNCHANGED.edits).edits)
  const conversation = deps.codecs.openai.decodeRequest(wire, model, isStream)
  const encoded = spoken.encodeRequest(conversation, {
    model,
    streamOptions: false,
    cacheMarks: false,
    strictOpenai: provider.isStrict ?? false,
    settings: deps.dialects(),
    drop: () => {},
  })
  return edited(encoded, vendorEdits(vendor, encoded, UNCHANGED.edits).edits)
}

type Read = Readonly<{ text: string; json: unknown }>

function asItCame(bytes: Buffer): Read {
  const text = bytes.toString('utf8')
  return { text, json: parsed(text) }
}

/** A good answer as OpenAI's dialect has it; what is no answer stays as it came. */
function readBack({ codecs }: ProbeDeps, wire: Wire, { model, isStream }: ProbeAsk, bytes: Buffer): Read {
  const frame = frameOf(model)
  const tap = createEventTap(model)
  if (isStream) {
    const [decoder, encoder, frames] = [wire.decodeStream(), codecs.openai.encodeStream(frame), wire.frames?.()]
    const passage = frames ? framedTranslation(frames, decoder, encoder, tap) : translation(decoder, encoder, tap)
    return { text: `${passage.feed(bytes)}${passage.end()}`, json: undefined }
  }
  const came = asItCame(bytes)
  if (!isObject(came.json) || came.json.error) return came
  const events = wire.decodeAnswer(came.json)
  for (const event of events) tap.take(event)
  if (!tap.produced() && !tap.seen.finished) return came
  return { text: came.text, json: codecs.openai.encodeAnswer(events, frame, tap.seen.usage ?? usageOf({})) }
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

async function readWhole(reply: UpstreamReply): Promise<{ status: number; bytes: Buffer }> {
  const { status } = reply
  const isGood = status >= 200 && status <= 299
  return { status, bytes: isGood ? await gatherAnswer(reply) : Buffer.from(await errorText(reply)) }
}
