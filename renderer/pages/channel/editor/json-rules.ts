/** Parses a JSON object; undefined for anything else. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    // Checked to be a JSON object, whose keys are strings.
    return isObject(parsed) ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The JSON columns, each with a check of its parsed object. */
const jsonRules = {
  modelMapping: (value: Record<string, unknown>) => Object.values(value).every((name) => typeof name === 'string'),
  statusMapping: (value: Record<string, unknown>) =>
    Object.entries(value).every((pair) => pair.every((status) => isStatus(Number(status)))),
  paramOverride: (value: Record<string, unknown>) => !('stream' in value) && !('model' in value),
  setting: () => true,
} as const
export type JsonRule = keyof typeof jsonRules

/** Whether a text is empty or valid JSON for its column. */
export function fits(rule: JsonRule, text: string): boolean {
  if (text.trim() === '') return true
  const value = objectIn(text)
  return value !== undefined && jsonRules[rule](value)
}

export const fitsValue = (rule: JsonRule, value: unknown): boolean => fits(rule, JSON.stringify(value))

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 599
