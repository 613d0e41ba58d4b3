import type { Codecs } from './codecs.ts'
import { createDialectTap } from './dialect-tap.ts'
import type { EndpointTap } from './endpoints/tap.ts'
import { createEventTap, type EventTap } from './event-tap.ts'
import type { AnswerFrame } from './formats/codec.ts'
import type { Format } from './formats/format.ts'
import { createLineReader } from './sse.ts'
import type { Passage } from './stream.ts'
import { asArray, translation } from './translation.ts'
import { createTap, type UsageTap } from './usage-tap.ts'

/** How a stream gets from the upstream to the caller, and what watches it. */
export type Passing = Readonly<{ passage: Passage; tap: UsageTap | EventTap }>

/** A tap for answers in a dialect; OpenAI's own, the most frequent, has one that reads no more than it must. */
export const tapFor = (codecs: Codecs, format: Format, model: string): UsageTap =>
  format === 'openai' ? createTap(model) : createDialectTap(codecs[format], model)

/** The caller's own dialect: bytes pass as they are, but for a usage event nobody asked for. */
export function untouched(tap: UsageTap, dropUsage: boolean): Passing {
  const reader = createLineReader((payload) => (tap.payload(payload) && dropUsage ? 'drop' : 'keep'), tap.plain)
  return { passage: { feed: reader.feed, end: reader.end, close: nothing }, tap }
}

const nothing = () => ''

/** An answer without events: its bytes pass as they come. */
export function bytewise(tap: EndpointTap): Passing {
  const feed = (bytes: Buffer) => {
    tap.bytes(bytes)
    return bytes
  }
  const end = () => {
    tap.end()
    return ''
  }
  return { passage: { feed, end, close: nothing }, tap }
}

/** Another dialect: every event is written anew. */
export function translated(codecs: Codecs, from: Format, to: Format, model: string, frame: AnswerFrame): Passing {
  const tap = createEventTap(model)
  return { passage: translation(codecs[from].decodeStream(), codecs[to].encodeStream(frame), tap), tap }
}

/** The same as one JSON array. */
export const arrayed = ({ passage, tap }: Passing): Passing => ({ passage: asArray(passage), tap })
