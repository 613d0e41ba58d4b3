/** Families of clients, in the order in which their marks are looked for. */
const families = [
  ['claude-code', /claude-(cli|code)/i],
  ['codex', /codex/i],
  ['openai-python', /openai\/(python|v?\d)|openai-python/i],
  ['openai-node', /openai\/js|openai-node/i],
  ['anthropic-sdk', /anthropic/i],
  ['google-genai', /google-(genai|api|generativeai)|genai-sdk|generativelanguage/i],
  ['curl', /^curl\//i],
  ['browser', /^mozilla\//i],
] as const

export type ClientFamily = (typeof families)[number][0] | 'other'

/** The family a User-Agent belongs to (spec/console.md §4.4.9); only the first 200 characters are looked at. */
export function clientFamily(userAgent: string): ClientFamily {
  const mark = userAgent.slice(0, 200)
  return families.find(([, pattern]) => pattern.test(mark))?.[0] ?? 'other'
}
