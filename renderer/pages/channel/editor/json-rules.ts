/** The object in a JSON text; undefined when the text is empty or holds anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    // What is left after the checks is a JSON object, whose keys are strings.
    return isObject(parsed) ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A column of JSON, and whether what it holds means anything to the gateway; the checks are those of its editor. */
export const jsonRules = {
  modelMapping: (value: Record<string, unknown>) => Object.values(value).every((name) => typeof name === 'string'),
  statusMapping: (value: Record<string, unknown>) =>
    Object.entries(value).every((pair) => pair.every((status) => isStatus(Number(status)))),
  paramOverride: (value: Record<string, unknown>) => !('stream' in value) && !('model' in value),
  setting: () => true,
} as const
export type JsonRule = keyof typeof jsonRules

/** Whether a text is empty or JSON that its column takes. */
export function fits(rule: JsonRule, text: string): boolean {
  if (text.trim() === '') return true
  const value = objectIn(text)
  return value !== undefined && jsonRules[rule](value)
}

/** Judges JSON that is read already. */
export const fitsValue = (rule: JsonRule, value: unknown): boolean => fits(rule, JSON.stringify(value))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 599
