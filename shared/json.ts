/** A parsed JSON object with unvalidated members. */
export type JsonObject = Record<string, unknown>

/** Whether a parsed value is an object; not for arrays and null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON; undefined if invalid. */
export function parsed(text: string): unknown {
  // Many columns are empty, and throwing is much slower.
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
