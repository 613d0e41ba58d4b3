import type { Usage } from '../../billing/usage.ts'
import type { FrameReader, StreamDecoder, StreamEncoder } from '../formats/codec.ts'
import { END_MARK } from '../formats/payload.ts'
import { createLineReader, wholeEvents } from '../formats/sse.ts'
import type { EventTap } from '../metering/event-tap.ts'
import { hasEnded } from '../metering/usage-tap.ts'
import { KeptText } from './kept-text.ts'
import type { StreamTransform } from './transform.ts'

/** A translation of a stream that is no server-sent events. */
export function framedTranslation(
  frames: FrameReader,
  decoder: StreamDecoder,
  encoder: StreamEncoder,
  tap: EventTap,
): StreamTransform {
  const kept = new KeptText()
  const written = (payloads: readonly string[]) => {
    let text = ''
    for (const payload of payloads) {
      if (hasEnded(tap.observed)) break
      for (const event of decoder.payload(payload)) {
        kept.take(event)
        tap.take(event)
        text += encoder.add(event)
      }
    }
    return text
  }
  return {
    feed: (bytes) => written(frames.feed(bytes)),
    end: () => written(frames.end()),
    close: (usage) => encoder.end(usage),
    place: () => encoder.place?.(),
  }
}

/** A stream on its way from one dialect into another: every event up to its end is read, tapped and written anew. */
export function translation(decoder: StreamDecoder, encoder: StreamEncoder, tap: EventTap): StreamTransform {
  let written = ''
  const kept = new KeptText()
  const goesOn = (payload: string) => {
    if (hasEnded(tap.observed)) return false
    for (const event of decoder.payload(payload)) {
      kept.take(event)
      tap.take(event)
      written += encoder.add(event)
    }
    return !hasEnded(tap.observed)
  }
  const reader = createLineReader((payload) => (goesOn(payload) ? 'keep' : 'cut'), wholeEvents(goesOn))
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
    place: () => encoder.place?.(),
  }
}

/**
 * Gemini's stream without `alt=sse`: the same chunks as the elements of one JSON array
 * (docs/reference/endpoints.md#how-a-stream-is-asked-for).
 */
export function asArray(transform: StreamTransform): StreamTransform {
  let opened = false
  const elements = (events: Buffer | string): string => {
    let text = ''
    for (const [, data = ''] of events.toString().matchAll(DATA)) {
      const element = data.replace(FIELD, '$1').trim()
      if (element === '' || element.startsWith(END_MARK)) continue
      text += (opened ? ',\r\n' : '[') + element
      opened = true
    }
    return text
  }
  const ended = (events: string): string => `${elements(events)}${opened ? ']' : '[]'}`
  return {
    feed: (bytes) => elements(transform.feed(bytes)),
    end: () => elements(transform.end()),
    close: (usage) => ended(transform.close(usage)),
    fail: ended,
  }
}

/** The lines of data of one event. Line feeds alone end a line: JSON may hold U+2028 and U+2029 as they are. */
const DATA = /(?:^|\n)(data:[^\n]*(?:\ndata\b[^\n]*)*)/g
/** What a line of data begins with. */
const FIELD = /(^|\n)data:?/g
