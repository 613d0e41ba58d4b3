import type { Usage } from '../../billing/usage.ts'
import { AnswerBudget } from '../formats/answer-budget.ts'
import type { FrameReader, StreamDecoder, StreamEncoder } from '../formats/codec.ts'
import { END_MARK } from '../formats/payload.ts'
import { createLineReader, wholeEvents } from '../formats/sse.ts'
import type { EventTap } from '../metering/event-tap.ts'
import { hasEnded } from '../metering/usage-tap.ts'
import type { StreamTransform } from './transform.ts'

export function framedTranslation(
  frames: FrameReader,
  decoder: StreamDecoder,
  encoder: StreamEncoder,
  tap: EventTap,
  budget = new AnswerBudget(),
): StreamTransform {
  const written = (payloads: readonly string[]) => {
    let text = ''
    for (const payload of payloads) {
      if (hasEnded(tap.observed)) break
      for (const event of decoder.payload(payload)) {
        budget.take(event)
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
    position: () => encoder.position?.(),
  }
}

export function translation(
  decoder: StreamDecoder,
  encoder: StreamEncoder,
  tap: EventTap,
  budget = new AnswerBudget(),
): StreamTransform {
  let written = ''
  const takePayload = (payload: string) => {
    if (hasEnded(tap.observed)) return false
    for (const event of decoder.payload(payload)) {
      budget.take(event)
      tap.take(event)
      written += encoder.add(event)
    }
    return !hasEnded(tap.observed)
  }
  const reader = createLineReader((payload) => (takePayload(payload) ? 'keep' : 'cut'), wholeEvents(takePayload))
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
    position: () => encoder.position?.(),
  }
}

/**
 * Gemini's stream without `alt=sse`: the same chunks as the elements of one JSON array
 * (docs/reference/endpoints.md#requesting-a-stream).
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

/** Matches the data lines of one event. Only line feeds end a line: JSON may contain U+2028 and U+2029 unescaped. */
const DATA = /(?:^|\n)(data:[^\n]*(?:\ndata\b[^\n]*)*)/g
const FIELD = /(^|\n)data:?/g
