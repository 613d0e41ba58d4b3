import { brokenPosition, type TextPosition } from '../../../shared/json-text.ts'

/** Where JSON parsing fails; line and column from 1. */
type JsonProblem = TextPosition

/** Parses JSON: returns its value, or the position of the error, uniformly across browsers. */
export function readJson(text: string): { value: unknown } | { problem: JsonProblem } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: brokenPosition(text) }
    throw error
  }
}
