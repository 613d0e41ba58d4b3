import type { AnswerEvent } from '../formats/events.ts'
import { encodingOf } from '../tokens/encoding.ts'
import { createGauge } from '../tokens/estimate.ts'
import { figures, KEPT_TEXT, keepingGauge, type Seen, type UsageTap } from './usage-tap.ts'

/** What an answer's events show of its cost: the upstream's figures, the text produced, how it ended. */
export type EventTap = Readonly<{ take(event: AnswerEvent): void }> & Omit<UsageTap, 'event' | 'plain' | 'payload'>

/** Tokens added for each parallel tool call when the upstream gives no usage (spec/relay.md §6.6). */
const PER_TOOL_CALL = 7
/** A picture without a usage (spec/data/gemini.json). */
const PER_PICTURE = 258

/** A tap for answers that are read as events: all dialects but OpenAI's own, and all that are converted. */
export function createEventTap(model: string): EventTap {
  const kept = { text: '' }
  const gauge = encodingOf(model) === undefined ? createGauge(model) : keepingGauge(createGauge(model), kept)
  const seen: Seen = { done: false, finished: false, error: null, usage: null }
  let calls = 0
  let pictures = 0
  const more = () => PER_TOOL_CALL * calls + PER_PICTURE * pictures
  return {
    take(event) {
      if (event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning') gauge.add(event.text)
      else if (event.type === 'tool') {
        calls = Math.max(calls, event.call + 1)
        gauge.add((event.name ?? '') + (event.json ?? ''))
      } else if (event.type === 'media') pictures += event.mime.startsWith('image/') ? 1 : 0
      else if (event.type === 'usage') seen.usage = event.usage
      else if (event.type === 'finish') seen.finished = true
      else if (event.type === 'error') {
        seen.error = { ...event.error }
        if (event.isUnreadable) seen.unreadable = true
      } else if (event.type === 'done') {
        seen.done = true
        seen.finished = true
      }
    },
    filter(text) {
      seen.filtered = true
      if (text !== '') gauge.add(text)
    },
    seen,
    produced: () => gauge.tokens() > 0 || pictures > 0 || (seen.usage?.completion ?? 0) > 0,
    usage: (prompt, counted) => figures(seen, prompt, counted, gauge, more()),
    tokens: () => gauge.tokens() + more(),
    most: () => Math.max(gauge.most() + more(), seen.usage?.completion ?? 0),
    text: () => (kept.text.length > 0 && kept.text.length < KEPT_TEXT ? kept.text : undefined),
  }
}
