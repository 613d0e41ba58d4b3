import type { Json } from '../formats/codec.ts'

/** Members of OpenAI's dialect that compatible vendors may not support, and `top_k`, which is not in it. */
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
 * Reports members of a request that its vendor ignores silently, unless they have their default value. The body is
 * unchanged, since a server of that type may support more than documented.
 */
export function reportIgnoredParams(json: Json, names: readonly string[], drop: (name: string) => void): void {
  for (const name of names) {
    const value = json[name]
    if (value !== undefined && value !== null && !isDefault(name, value)) drop(name)
  }
}

const defaults: Readonly<Record<string, unknown>> = { n: 1, store: false, parallel_tool_calls: true }

const isDefault = (name: string, value: unknown): boolean => defaults[name] === value

export function limitEdits({ max_completion_tokens, max_tokens }: Json): readonly (readonly [string, unknown])[] {
  if (max_completion_tokens === undefined) return []
  const renamed = [['max_completion_tokens', undefined]] as const
  return max_tokens === undefined ? [...renamed, ['max_tokens', max_completion_tokens]] : renamed
}
