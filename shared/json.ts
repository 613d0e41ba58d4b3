/** A JSON object as it was parsed: nothing is known of its members. */
export type JsonObject = Record<string, unknown>

/** Whether a parsed value is an object; arrays and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a text holds; undefined where it is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
