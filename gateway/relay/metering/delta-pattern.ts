import { isObject } from '../../base/json/json.ts'
import { isPlainText, textStart } from '../formats/same-shape.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'

/**
 * Recognises stretches of a stream that repeat the last parsed event and differ from it in nothing but a piece of text.
 * They need no parsing: around the text they are the same JSON, letter for letter, and the text holds neither quotes nor
 * escapes. Most events of most vendors are of this kind; everything else is parsed as ever.
 */
interface DeltaPattern {
  /**
   * Counts the text of the events of this kind that whole lines go on with from `from`; returns where they end, `from`
   * if there are none.
   */
  takes(lines: string, from: number): number
  /** Takes the shape of an event that was parsed, where it is one piece of content and nothing else. */
  learn(payload: string, json: unknown): void
}

const QUOTE = '"'

/** A pattern that has seen nothing yet; texts go to `estimator`. */
export function createPattern(estimator: TokenEstimator): DeltaPattern {
  let opening = ''
  let closing = ''
  /** From the end of one text to the next. */
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

/** The content of an event whose one choice adds content alone and does not end; undefined for every other event. */
function onlyContent(json: unknown): string | undefined {
  if (!isObject(json) || json.usage || json.error || !Array.isArray(json.choices) || json.choices.length !== 1)
    return undefined
  const choice: unknown = json.choices[0]
  if (!isObject(choice) || choice.finish_reason || choice.text || !isObject(choice.delta)) return undefined
  const { content, role: _, ...others } = choice.delta
  const isAlone = Object.values(others).every((value) => value === null || value === undefined)
  return isAlone && typeof content === 'string' && content !== '' && isPlainText(content) ? content : undefined
}
