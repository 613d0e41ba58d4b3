/** A JSON object as it was parsed: nothing is known of its members. */
export type JsonObject = Record<string, unknown>

/** Whether a parsed value is an object; arrays and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a text holds; undefined where it is no JSON. */
export function parsed(text: string): unknown {
  // Many columns are empty while nothing was set, and a failure takes longer than all that follows.
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
