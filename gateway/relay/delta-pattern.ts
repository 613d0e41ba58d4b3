import type { Gauge } from './tokens/estimate.ts'

/**
 * Recognises the events of a stream that differ from the last parsed one in nothing but a piece of text. Such an event
 * needs no parsing: before and after the text it is the same JSON, letter for letter, and the text holds neither quotes
 * nor escapes. Most events of most vendors are of this kind; the others are parsed as ever.
 */
export interface DeltaPattern {
  /** Gauges the text of an event that fits; false when it must be parsed. */
  takes(payload: string): boolean
  /** Takes the shape of an event that was parsed, where it is one piece of content and nothing else. */
  learn(payload: string, json: unknown): void
}

const MARK = '"content":"'

/** A pattern that has seen nothing yet; texts go to `gauge`. */
export function createPattern(gauge: Gauge): DeltaPattern {
  let before = ''
  let after = ''
  return {
    takes(payload) {
      if (before === '' || !payload.startsWith(before) || !payload.endsWith(after)) return false
      const text = payload.slice(before.length, payload.length - after.length)
      if (payload.length < before.length + after.length || text.includes('"') || text.includes('\\')) return false
      gauge.add(text)
      return true
    },
    learn(payload, json) {
      const content = onlyContent(json)
      if (content === undefined) return
      const start = payload.indexOf(MARK) + MARK.length
      if (start < MARK.length || !payload.startsWith(`${content}"`, start)) return
      before = payload.slice(0, start)
      after = payload.slice(start + content.length)
      if (after.includes(MARK)) before = ''
    },
  }
}

/** The content of an event whose one choice adds content alone and does not end; undefined for every other event. */
function onlyContent(json: unknown): string | undefined {
  if (!isObject(json) || json.usage || json.error || !Array.isArray(json.choices) || json.choices.length !== 1)
    return undefined
  const choice: unknown = json.choices[0]
  if (!isObject(choice) || choice.finish_reason || !isObject(choice.delta)) return undefined
  const { content, role, ...others } = choice.delta
  const isAlone = Object.values(others).every((value) => value === null || value === undefined)
  return isAlone && typeof content === 'string' && content !== '' && !/["\\]/.test(content) ? content : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
