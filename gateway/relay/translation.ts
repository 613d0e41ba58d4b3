import type { Usage } from '../billing/usage.ts'
import type { EventTap } from './event-tap.ts'
import type { FrameReader, StreamDecoder, StreamEncoder } from './formats/codec.ts'
import { createLineReader } from './sse.ts'
import type { Passage } from './stream.ts'

/** The same, of a stream that is no server-sent events. */
export function framedTranslation(
  frames: FrameReader,
  decoder: StreamDecoder,
  encoder: StreamEncoder,
  tap: EventTap,
): Passage {
  const written = (payloads: readonly string[]) => {
    let text = ''
    for (const payload of payloads)
      for (const event of decoder.payload(payload)) {
        tap.take(event)
        text += encoder.add(event)
      }
    return text
  }
  return {
    feed: (bytes) => written(frames.feed(bytes)),
    end: () => written(frames.end()),
    close: (usage) => encoder.end(usage),
  }
}

/** A stream on its way from one dialect into another: every event is read, tapped and written anew. */
export function translation(decoder: StreamDecoder, encoder: StreamEncoder, tap: EventTap): Passage {
  let written = ''
  const reader = createLineReader((payload) => {
    for (const event of decoder.payload(payload)) {
      tap.take(event)
      written += encoder.add(event)
    }
    return 'drop'
  })
  const taken = () => {
    const text = written
    written = ''
    return text
  }
  return {
    feed(bytes) {
      reader.feed(bytes)
      return taken()
    },
    end() {
      reader.end()
      return taken()
    },
    close: (usage: Usage) => encoder.end(usage),
  }
}

/** Gemini's stream without `alt=sse`: the same chunks as the elements of one JSON array (spec/relay.md §1.2). */
export function asArray(passage: Passage): Passage {
  let opened = false
  const elements = (events: Buffer | string): string => {
    let text = ''
    for (const line of events.toString().split('\n')) {
      if (!line.startsWith('data:')) continue
      text += (opened ? ',\r\n' : '[') + line.slice('data:'.length).trim()
      opened = true
    }
    return text
  }
  return {
    feed: (bytes) => elements(passage.feed(bytes)),
    end: () => elements(passage.end()),
    close: (usage) => `${elements(passage.close(usage))}${opened ? ']' : '[]'}`,
  }
}
