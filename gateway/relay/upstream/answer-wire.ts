import type { ActiveChannel, ChannelSetting } from '../../channels/registry/active-channel.ts'
import type { Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'
import { type StructuredAnswer, structuredWire } from '../transforms/structured-output.ts'
import { wireOf } from './upstream-endpoint.ts'

const OPEN = '<think>\n'
const CLOSE = '\n</think>\n'

/**
 * Puts reasoning into the text of responses, between `<think>` and `</think>`
 * (docs/reference/conversion.md#reshaped-responses).
 */
const thoughtsAsText = (wire: Wire): Wire => ({
  ...wire,
  decodeAnswer: (json) => wire.decodeAnswer(json).flatMap(createFold()),
  decodeStream() {
    const [decoder, fold] = [wire.decodeStream(), createFold()]
    return { payload: (text) => decoder.payload(text).flatMap(fold) }
  },
})

/** State of one response: a choice's reasoning is closed before its next event of another type. */
function createFold(): (event: AnswerEvent) => readonly AnswerEvent[] {
  const thinking = new Set<number>()
  return (event) => {
    if (!('choice' in event)) return [event]
    const { choice } = event
    if (event.type === 'reasoning') {
      if (event.text === '') return []
      const text = thinking.has(choice) ? event.text : OPEN + event.text
      thinking.add(choice)
      return [{ type: 'text', choice, text }]
    }
    return thinking.delete(choice) ? [{ type: 'text', choice, text: CLOSE }, event] : [event]
  }
}

/**
 * An OpenAI wire that also puts signatures of reasoning on the calls after it, where Google has them: many clients send
 * calls back unchanged, but no reasoning (docs/reference/conversion.md#sealed-thoughts). In Google's dialect, a
 * signature is on the call instead of the reasoning if the call follows immediately.
 */
const sealsOnCalls = (wire: Wire, isMoved: boolean): Wire => ({
  ...wire,
  decodeAnswer: (json) => wire.decodeAnswer(json).flatMap(createSealing(isMoved)),
  decodeStream() {
    const [decoder, sealing] = [wire.decodeStream(), createSealing(isMoved)]
    return { payload: (text) => decoder.payload(text).flatMap(sealing) }
  },
})

/** State of one response: a signature that may be moved waits for the next event. */
function createSealing(isMoved: boolean): (event: AnswerEvent) => readonly AnswerEvent[] {
  let seal: (AnswerEvent & { type: 'reasoning' }) | undefined
  let isWaiting = false
  return (event) => {
    if (!('choice' in event)) return [event]
    const isCall = event.type === 'tool' && !event.signature
    const released = seal && isWaiting && !isCall ? [seal] : []
    isWaiting = false
    if (isCall) {
      const signature = seal?.signature
      seal = undefined
      return [signature ? { ...event, signature } : event]
    }
    if (event.type !== 'reasoning' || event.signature?.by !== 'responses') return [...released, event]
    seal = event
    isWaiting = isMoved
    return isMoved ? released : [event]
  }
}

/**
 * How to decode a response that must be rewritten; undefined if its bytes pass unchanged, or if it is not a
 * conversation. A response is rewritten unless the upstream received the caller's own request (`isUnconverted`); then
 * only if it is a chat response of a channel with `force_format` or `thinking_to_content`
 * (docs/reference/conversion.md#reshaped-responses), or if JSON was requested in another form
 * (docs/reference/conversion.md#structured-output).
 */
export function answerWire(
  codecs: Codecs,
  provider: Provider,
  { endpoint }: Call,
  { upstreamEndpoint, isUnconverted }: Readonly<{ upstreamEndpoint: Endpoint; isUnconverted: boolean }>,
  { setting }: ActiveChannel,
  structured?: StructuredAnswer,
): Wire | undefined {
  const isReshaped = endpoint === 'chat' && (setting.force_format || setting.thinking_to_content)
  const passes = isUnconverted && !isReshaped && !structured
  const plain = passes ? undefined : wireOf(codecs, provider, upstreamEndpoint)
  const read = plain && structured ? structuredWire(plain, structured) : plain
  const wire = read && upstreamEndpoint === 'responses' ? sealing(read, endpoint, setting) : read
  return wire && isReshaped && setting.thinking_to_content ? thoughtsAsText(wire) : wire
}

/** Google's dialect supports signatures on calls; Chat only if it may have extra members. */
function sealing(wire: Wire, endpoint: Endpoint, setting: ChannelSetting): Wire {
  if (endpoint === 'generate') return sealsOnCalls(wire, true)
  return endpoint === 'chat' && !setting.force_format ? sealsOnCalls(wire, false) : wire
}
