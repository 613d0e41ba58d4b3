import { claudeMaxOutput } from '../../../../shared/claude-max-output.ts'
import { createNamePatterns, type NamePatterns } from '../../../base/name-patterns.ts'
import { claudeName } from '../../capabilities/claude-models.ts'

const shipped = createNamePatterns(claudeMaxOutput)

/**
 * Returns the max output tokens, including thinking, that the vendor documents for a Claude model, however it is
 * spelled (docs/reference/model-output-limits.md); undefined for other or unknown models.
 */
export function maxOutputOf(model: string): number | undefined {
  const name = claudeName(model)
  return name === undefined ? undefined : shipped(name)
}

/** The output limit of models without an entry when the option has no `default`. */
const FALLBACK = 8192

/** Compiled maps of the operator, by identity. */
const compiled = new WeakMap<Readonly<Record<string, number>>, NamePatterns<number>>()

/**
 * Returns the default of `max_tokens` from `claude.default_max_tokens`: the entry of the first name that has one; else
 * the first match by a pattern or in Anthropic's spelling, in the order of the names; else its `default`.
 */
export function defaultMaxTokens(models: readonly string[], limits: Readonly<Record<string, number>>): number {
  const known = models.find((model) => Object.hasOwn(limits, model))
  if (known !== undefined) return limits[known] ?? FALLBACK
  const find = compiled.get(limits) ?? createNamePatterns(limits)
  compiled.set(limits, find)
  for (const model of models) {
    const limit = find(model) ?? find(claudeName(model) ?? model)
    if (limit !== undefined) return limit
  }
  return limits.default ?? FALLBACK
}
