import { isObject } from '../../base/json/json.ts'
import { isPlainText, textStart } from '../formats/same-shape.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'

/**
 * Recognizes parts of a stream that differ from the last parsed event only in one piece of text. They need no parsing:
 * around the text they are identical JSON, and the text contains neither quotes nor escapes. Most events of most
 * vendors are like this; all others are parsed.
 */
interface DeltaPattern {
  /**
   * Counts the text of events with the same pattern in the complete lines from `from`; returns where these events end,
   * or `from` if there are no such events.
   */
  takes(lines: string, from: number): number
  /** Learns the shape of a parsed event, if it is one piece of content and nothing else. */
  learn(payload: string, json: unknown): void
}

const QUOTE = '"'

export function createPattern(estimator: TokenEstimator): DeltaPattern {
  let opening = ''
  let closing = ''
  let between = ''
  return {
    takes(lines, from) {
      let start = from + opening.length
      if (opening === '' || lines.slice(from, start) !== opening) return from
      let taken = from
      while (start > taken) {
        const end = lines.indexOf(QUOTE, start)
        const text = lines.slice(start, end)
        const rest = lines.slice(end, end + between.length)
        if (end < 0 || !isPlainText(text) || !(rest === between || rest.startsWith(closing))) break
        estimator.add(text)
        taken = end + closing.length
        if (rest === between) start = end + between.length
      }
      return taken
    },
    learn(payload, json) {
      const content = onlyContent(json)
      if (content === undefined) return
      const start = textStart(payload, 'content', content)
      if (start < 0) return
      opening = `data: ${payload.slice(0, start)}`
      closing = `${payload.slice(start + content.length)}\n\n`
      between = closing + opening
    },
  }
}

/** The content of an event whose only choice just adds content and does not end; undefined for every other event. */
function onlyContent(json: unknown): string | undefined {
  if (!isObject(json) || json.usage || json.error || !Array.isArray(json.choices) || json.choices.length !== 1)
    return undefined
  const choice: unknown = json.choices[0]
  if (!isObject(choice) || choice.finish_reason || choice.text || !isObject(choice.delta)) return undefined
  const { content, role: _, ...rest } = choice.delta
  const isAlone = Object.values(rest).every((value) => value === null || value === undefined)
  return isAlone && typeof content === 'string' && content !== '' && isPlainText(content) ? content : undefined
}
