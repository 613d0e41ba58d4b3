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
 * A wire whose answers have what the model thought in their text, between `<think>` and `</think>`
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

/** Fresh state for one answer: the thoughts of each choice are closed before whatever comes after them. */
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
 * A wire of OpenAI's whose seals of thoughts are on the calls after them as well, where Google has its own: many clients
 * send calls back as they were, and no thoughts (docs/reference/conversion.md#sealed-thoughts). Those of Google's dialect
 * have it there alone where a call follows at once.
 */
const sealsOnCalls = (wire: Wire, isMoved: boolean): Wire => ({
  ...wire,
  decodeAnswer: (json) => wire.decodeAnswer(json).flatMap(createSealing(isMoved)),
  decodeStream() {
    const [decoder, sealing] = [wire.decodeStream(), createSealing(isMoved)]
    return { payload: (text) => decoder.payload(text).flatMap(sealing) }
  },
})

/** Fresh state for one answer: a seal that may be moved waits for what comes next. */
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
 * How an answer is read where it has to be written again; undefined where its bytes pass as they are, which they do where
 * the upstream was asked the same (`isOwn`). Besides answers in another dialect those are the chat answers of channels
 * with `force_format` or `thinking_to_content` (docs/reference/conversion.md#reshaped-responses), and JSON that was asked
 * for in another way (docs/reference/conversion.md#structured-output).
 */
export function answerWire(
  codecs: Codecs,
  provider: Provider,
  { endpoint }: Call,
  { upstreamEndpoint, isOwn }: Readonly<{ upstreamEndpoint: Endpoint; isOwn: boolean }>,
  { setting }: ActiveChannel,
  structured?: StructuredAnswer,
): Wire | undefined {
  const isReshaped = endpoint === 'chat' && (setting.force_format || setting.thinking_to_content)
  const passes = isOwn && !isReshaped && !structured
  const plain = passes ? undefined : wireOf(codecs, provider, upstreamEndpoint)
  const read = plain && structured ? structuredWire(plain, structured) : plain
  const wire = read && upstreamEndpoint === 'responses' ? sealing(read, endpoint, setting) : read
  return wire && isReshaped && setting.thinking_to_content ? thoughtsAsText(wire) : wire
}

/** Google's dialect has a place for seals on calls, and that of Chat where it may have members of its own. */
function sealing(wire: Wire, endpoint: Endpoint, setting: ChannelSetting): Wire {
  if (endpoint === 'generate') return sealsOnCalls(wire, true)
  return endpoint === 'chat' && !setting.force_format ? sealsOnCalls(wire, false) : wire
}
