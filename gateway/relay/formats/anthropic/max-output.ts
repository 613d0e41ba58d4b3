import { claudeMaxOutput } from '../../../../shared/claude-max-output.ts'
import { createNamePatterns, type NamePatterns } from '../../../base/name-patterns.ts'
import { claudeName } from '../../capabilities/claude-models.ts'

const shipped = createNamePatterns(claudeMaxOutput)

/**
 * The longest output that the vendor documents for a Claude under any of its spellings, in tokens, thought included
 * (docs/reference/model-output-limits.md); undefined for other models and for a Claude that is not known.
 */
export function maxOutputOf(model: string): number | undefined {
  const name = claudeName(model)
  return name === undefined ? undefined : shipped(name)
}

/** For a model that neither the option nor its `default` says anything of. */
const UNKNOWN = 8192

/** Maps of the operator's that have been read, for as long as they hold. */
const read = new WeakMap<Readonly<Record<string, number>>, NamePatterns<number>>()

/**
 * The most tokens of an answer when the request names none: the entry of `claude.default_max_tokens` for the first of the
 * names it knows, as it is written or in Anthropic's spelling, else its `default`.
 */
export function defaultMaxTokens(models: readonly string[], limits: Readonly<Record<string, number>>): number {
  const known = models.find((model) => Object.hasOwn(limits, model))
  if (known !== undefined) return limits[known] ?? UNKNOWN
  const find = read.get(limits) ?? createNamePatterns(limits)
  read.set(limits, find)
  for (const model of models) {
    const said = find(model) ?? find(claudeName(model) ?? model)
    if (said !== undefined) return said
  }
  return limits.default ?? UNKNOWN
}
