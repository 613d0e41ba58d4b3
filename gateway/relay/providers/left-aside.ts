import type { Json } from '../formats/codec.ts'

/** Members of OpenAI's dialect that vendors of it may not know: its own newer ones, and `top_k`, which is not OpenAI's. */
export const seldomTaken = [
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'metadata',
  'modalities',
  'n',
  'parallel_tool_calls',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'store',
  'top_k',
  'user',
  'verbosity',
  'web_search_options',
] as const

/**
 * Tells of those members of a request that its vendor leaves aside without a word; the body stays as it is, since an
 * address of that type may take more than the vendor says. What asks for nothing unusual is not missed.
 */
export function reportIgnoredParams(json: Json, names: readonly string[], drop: (name: string) => void): void {
  for (const name of names) {
    const value = json[name]
    if (value !== undefined && value !== null && !isUsual(name, value)) drop(name)
  }
}

/** What vendors do whether they are told so or not. */
const usual: Readonly<Record<string, unknown>> = { n: 1, store: false, parallel_tool_calls: true }

const isUsual = (name: string, value: unknown): boolean => usual[name] === value

/** The edits that give the limit of the output the name that these vendors read it by. */
export function limitEdits({ max_completion_tokens, max_tokens }: Json): readonly (readonly [string, unknown])[] {
  if (max_completion_tokens === undefined) return []
  const renamed = [['max_completion_tokens', undefined]] as const
  return max_tokens === undefined ? [...renamed, ['max_tokens', max_completion_tokens]] : renamed
}
