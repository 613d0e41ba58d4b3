import {
  type AnswerFrame,
  type Json,
  NO_CLIENT_TOOLS,
  type RequestTarget,
} from '../../../../../gateway/relay/formats/codec.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { openai } from '../../../../../gateway/relay/formats/openai/codec.ts'

/** An upstream with OpenAI's dialect that is not OpenAI; `dropped` collects reported losses. */
export function vendor(more: Partial<RequestTarget> = {}) {
  const dropped: string[] = []
  const target: RequestTarget = {
    model: 'a-model',
    streamOptions: true,
    cacheMarks: false,
    strictOpenai: false,
    settings: { claudeMaxTokens: {}, geminiSafety: {}, geminiImageModels: [] },
    drop: (name) => dropped.push(name),
    ...more,
  }
  return { target, dropped }
}

/** A request decoded from and encoded in its own dialect. */
export const again = (wire: Json, more: Partial<RequestTarget> = {}): Json =>
  openai.encodeRequest(
    openai.decodeRequest(wire, String(wire.model), wire.stream === true),
    vendor({ model: String(wire.model), strictOpenai: true, ...more }).target,
  )

export const frame = (more: Partial<AnswerFrame> = {}): AnswerFrame => ({
  id: 'abc',
  model: 'gpt-4o',
  created: 1_700_000_000,
  wantsUsage: false,
  promptTokens: () => 7,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
  ...more,
})

/** The events decoded from a stream's payloads, `[DONE]` included. */
export function streamed(payloads: readonly (Json | string)[]): readonly AnswerEvent[] {
  const decoder = openai.decodeStream()
  return payloads.flatMap((payload) => decoder.payload(typeof payload === 'string' ? payload : JSON.stringify(payload)))
}

/** The payloads of an encoded stream, parsed; the end mark as text. */
export const payloadsOf = (text: string): readonly unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : JSON.parse(event.replace(/^data: /, ''))))
