import {
  type AnswerFrame,
  type Json,
  NO_CLIENT_TOOLS,
  type RequestTarget,
} from '../../../../../gateway/relay/formats/codec.ts'
import type { Conversation, Part, Turn } from '../../../../../gateway/relay/formats/conversation.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { responses } from '../../../../../gateway/relay/formats/responses/codec.ts'

/** A target at OpenAI itself; `dropped` collects the reported losses. */
export function vendor(model = 'gpt-5') {
  const dropped: string[] = []
  const target: RequestTarget = {
    model,
    streamOptions: true,
    cacheMarks: false,
    strictOpenai: true,
    settings: { claudeMaxTokens: {}, geminiSafety: {}, geminiImageModels: [] },
    drop: (name) => dropped.push(name),
  }
  return { target, dropped }
}

/** A conversation in another dialect with one message, with the given changes. */
export const asked = (changes: Partial<Conversation> = {}): Conversation => ({
  model: 'gpt-5',
  stream: false,
  turns: [said('user', 'Hello')],
  tools: [],
  shared: {},
  extras: { from: 'anthropic', fields: {} },
  ...changes,
})

export const said = (role: Turn['role'], content: string | readonly Part[]): Turn => ({
  role,
  parts: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
})

export const read = (wire: Json): Conversation =>
  responses.decodeRequest(wire, String(wire.model ?? 'gpt-5'), wire.stream === true)

/** Encodes a conversation for a model; returns the body and the reported losses. */
export function written(conversation: Conversation, model = 'gpt-5'): { body: Json; dropped: string[] } {
  const { target, dropped } = vendor(model)
  return { body: responses.encodeRequest(conversation, target), dropped }
}

export const frame = (more: Partial<AnswerFrame> = {}): AnswerFrame => ({
  id: 'abc',
  model: 'gpt-5',
  created: 1_763_700_000,
  wantsUsage: false,
  promptTokens: () => 7,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
  ...more,
})

/** The events decoded from a stream's payloads. */
export function streamed(payloads: readonly unknown[]): readonly AnswerEvent[] {
  const decoder = responses.decodeStream()
  return payloads.flatMap((payload) => decoder.payload(typeof payload === 'string' ? payload : JSON.stringify(payload)))
}

/** The payloads of an encoded stream; checks that each event's name equals its type. */
export const payloadsOf = (text: string): Json[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/s.exec(event) ?? []
      const payload = JSON.parse(data ?? 'null')
      if (payload.type !== name) throw new Error(`the event ${name} holds ${payload.type}`)
      return payload
    })

/** Events with the pieces of each text joined, as in a complete response. */
export function joined(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const all: AnswerEvent[] = []
  for (const event of events) {
    const last = all.at(-1)
    if ((event.type === 'text' || event.type === 'refusal') && last?.type === event.type) {
      all[all.length - 1] = { ...last, text: last.text + event.text }
    } else if (event.type === 'reasoning' && last?.type === 'reasoning' && !last.signature && !event.redacted) {
      all[all.length - 1] = { ...last, ...event, text: last.text + event.text }
    } else if (event.type === 'tool' && last?.type === 'tool' && last.call === event.call) {
      all[all.length - 1] = { ...last, ...event, json: (last.json ?? '') + (event.json ?? '') }
    } else all.push(event)
  }
  return all
}
