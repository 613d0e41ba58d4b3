import { usageOf } from '../../../../../gateway/billing/usage.ts'
import {
  type AnswerFrame,
  type Json,
  NO_CLIENT_TOOLS,
  type RequestTarget,
} from '../../../../../gateway/relay/formats/codec.ts'
import type { Conversation } from '../../../../../gateway/relay/formats/conversation.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { gemini } from '../../../../../gateway/relay/formats/gemini/codec.ts'

/** A codec that generates the ids call_1, call_2 … */
export function aCodec() {
  let calls = 0
  return gemini(() => `call_${++calls}`)
}

/** A target for a model; `dropped` collects the names of dropped fields. */
export function aTarget(model = 'gemini-2.5-flash', settings: Partial<RequestTarget['settings']> = {}) {
  const dropped: string[] = []
  const target: RequestTarget = {
    model,
    streamOptions: false,
    cacheMarks: false,
    strictOpenai: false,
    settings: { claudeMaxTokens: {}, geminiSafety: {}, geminiImageModels: [], ...settings },
    drop: (name) => dropped.push(name),
  }
  return { target, dropped }
}

/** A request of an OpenAI client. */
export const said = (more: Partial<Conversation>): Conversation => ({
  model: 'm',
  stream: false,
  turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  shared: {},
  extras: { from: 'openai', fields: {} },
  ...more,
})

export const written = (more: Partial<Conversation>, model?: string): Json =>
  aCodec().encodeRequest(said(more), aTarget(model).target)

/** A request in this dialect, decoded and encoded again. */
export function again(wire: Json, model?: string): Json {
  const codec = aCodec()
  return codec.encodeRequest(codec.decodeRequest(wire, 'm', false), aTarget(model).target)
}

export const frame: AnswerFrame = {
  id: 'r1',
  model: 'gemini-pro',
  created: 0,
  wantsUsage: false,
  promptTokens: () => 0,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
}

export const someUsage = usageOf({ prompt: 10, completion: 5 })

/** The events as the codec encodes them in a complete response. */
export const whole = (events: readonly AnswerEvent[]): Json => aCodec().encodeAnswer(events, frame, someUsage)

/** The payloads of a stream of events. */
export function streamed(events: readonly AnswerEvent[]): readonly string[] {
  const stream = aCodec().encodeStream(frame)
  const text = events.map((event) => stream.add(event)).join('') + stream.end(someUsage)
  const lines = text.split('\n\n').filter((line) => line !== '')
  return lines.map((line) => line.replace(/^data: /, ''))
}

/** The events decoded from a stream's payloads. */
export function heard(payloads: readonly unknown[]): readonly AnswerEvent[] {
  const stream = aCodec().decodeStream()
  return payloads.flatMap((payload) => stream.payload(typeof payload === 'string' ? payload : JSON.stringify(payload)))
}

/** Events without start and usage, with consecutive texts and pieces of reasoning joined. */
export function meaning(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const kept: AnswerEvent[] = []
  for (const event of events) {
    const last = kept.at(-1)
    if (event.type === 'start' || event.type === 'usage') continue
    if (event.type === 'text' && last?.type === 'text' && last.choice === event.choice)
      kept[kept.length - 1] = { ...last, text: last.text + event.text }
    else if (
      event.type === 'reasoning' &&
      last?.type === 'reasoning' &&
      last.choice === event.choice &&
      !last.signature &&
      !event.redacted
    )
      kept[kept.length - 1] = { ...event, text: last.text + event.text }
    else kept.push(event)
  }
  return kept
}
