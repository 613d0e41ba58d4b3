import { brokenPlace, type TextPlace } from '../../../shared/json-text.ts'

/** Where a text stops being JSON, both counted from 1. */
type JsonProblem = TextPlace

/** Reads JSON: its value, or where it breaks. Browsers word and place the same error differently; this says it in one way. */
export function readJson(text: string): { value: unknown } | { problem: JsonProblem } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: brokenPlace(text) }
    throw error
  }
}
