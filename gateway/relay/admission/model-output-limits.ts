import { numberIn, objectIn } from '../../base/json/json.ts'
import { createNamePatterns } from '../../base/name-patterns.ts'
import { searchesAlways } from '../../billing/tool-prices.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import type { Tier } from '../../channels/registry/picker.ts'
import { maxOutputOf } from '../formats/anthropic/max-output.ts'
import { providerFor } from '../providers/index.ts'

/** The longest output of a model, in tokens, and how its vendor counts reasoning. */
export type OutputLimit = Readonly<{
  tokens: number
  /** Documented by the vendor or set by the operator, not the default for unknown models. */
  isKnown: boolean
  /** Part of the output is reasoning that streams do not show. */
  hasHiddenReasoning: boolean
  isClaude: boolean
  isQwen: boolean
  /** Searches the web for every response. */
  searches: boolean
  isSet: boolean
  /** Tokens that a channel may generate although the caller's limit is lower; 0 if all channels respect it. */
  unlimited: number
}>

/** The operator's options: patterns of names (`*` matches anything) to tokens, and tokens for unknown models. */
type OutputOptions = Readonly<{ byModel: Readonly<Record<string, number>>; otherwise: number }>

export type OutputLimits = (model: string) => OutputLimit

/** The cache is cleared at this many names, since callers choose them. */
const MAX_NAMES = 5000

/** The operator's entry for the exact name comes first, then the longest matching pattern, then the vendors' limits. */
export function createOutputLimits({ byModel, otherwise }: OutputOptions): OutputLimits {
  const known = new Map<string, OutputLimit>()
  const find = createNamePatterns(byModel)
  const look = (model: string): OutputLimit => {
    const family = familyOf(model.toLowerCase())
    const found = find(model)
    const documented = found ?? maxOutputOf(model) ?? family?.[1]
    return {
      tokens: documented ?? otherwise,
      isKnown: documented !== undefined,
      hasHiddenReasoning: family?.[2] === 'unseen',
      isClaude: /claude/i.test(model),
      isQwen: /qwen|qwq/i.test(model),
      searches: searchesAlways(model),
      isSet: found !== undefined,
      unlimited: 0,
    }
  }
  return (model) => {
    const found = known.get(model)
    if (found) return found
    const limit = look(model)
    if (known.size >= MAX_NAMES) known.clear()
    known.set(model, limit)
    return limit
  }
}

const familyOf = (model: string): Family | undefined => families.find(([pattern]) => pattern.test(model))

type Family = readonly [RegExp, number, 'unseen'?]

/**
 * Documented maxima; the first match applies (docs/reference/model-output-limits.md). A family whose limit is its
 * context is not listed; Claude's are in shared/claude-max-output.ts, and a model not listed there gets the newest
 * one's limit.
 */
const families: readonly Family[] = [
  [/claude/, 128_000],
  [/gpt-oss/, 131_072],
  [/gpt-realtime-[2-9]/, 32_000, 'unseen'],
  [/realtime/, 4096],
  [/gpt-4o.{0,99}transcribe/, 2000],
  [/gpt-[4-9].{0,99}(?:tts|audio)/, 16_384],
  [/gpt-5(?:-\d{4}[\d-]*)?-chat/, 16_384],
  [/gpt-[5-9][\w.-]{0,99}-chat|chat-latest/, 16_384, 'unseen'],
  [/gpt-[5-9]|gpt-[12]\d|codex-/, 128_000, 'unseen'],
  [/computer-use-preview/, 1024, 'unseen'],
  [/(?:^|\/)o1-preview/, 32_768, 'unseen'],
  [/(?:^|\/)o1-mini/, 65_536, 'unseen'],
  [/(?:^|\/)o\d/, 100_000, 'unseen'],
  [/gpt-4\.1/, 32_768],
  [/gpt-4o-2024-05-13/, 4096],
  [/gpt-4o|gpt-4\.5/, 16_384],
  [/gpt-4-(?:turbo|1106|0125|vision)|gpt-3\.5/, 4096],
  [/gpt-4-32k/, 32_768],
  [/gpt-4/, 8192],
  [/gemini-[3-9].{0,99}image/, 32_768, 'unseen'],
  [/gemini.{0,99}image/, 32_768],
  [/gemini-(?:1|2\.0)/, 8192],
  [/gemini-\d/, 65_536, 'unseen'],
  [/grok-(?:[4-9]|build)/, 256_000, 'unseen'],
  [/grok-3-mini/, 131_072, 'unseen'],
  [/grok/, 131_072],
  [/deepseek-v4/, 384_000],
  [/deepseek-r|deepseek.{0,99}reasoner/, 64_000],
  [/deepseek/, 8192],
  [/qwen3-(?:max|coder)|qwen3\.\d/, 65_536],
  [/qwen-(?:plus|flash)|qwq|qwen3/, 32_768],
  [/qwen-turbo/, 16_384],
  [/glm-(?:4\.[6-9]|[5-9])/, 131_072],
  [/glm-4\.5/, 98_304],
  [/nova-2/, 64_000],
  [/nova-(?:micro|lite|pro|premier)/, 10_000],
]

/**
 * The longest output over the names that channels map a model to, unless the operator has set a limit for the requested
 * name.
 */
export function maxOutputTokens(limits: OutputLimits, model: string, channels: readonly ActiveChannel[]): OutputLimit {
  const own = limits(model)
  let longest: OutputLimit | undefined
  let { searches, unlimited } = own
  for (const channel of channels) {
    const { modelMapping } = channel
    const limit = modelMapping ? limits(nameIn(modelMapping, model)) : own
    if (!longest || limit.tokens > longest.tokens) longest = limit
    searches ||= limit.searches
    unlimited = Math.max(unlimited, unlimitedIn(channel, own.isSet ? own.tokens : limit.tokens))
  }
  const found = own.isSet ? own : (longest ?? own)
  return searches === found.searches && unlimited === 0 ? found : { ...found, searches, unlimited }
}

/** Members of output limits in all dialects, at the top level or in one of these objects. */
const LIMITS = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'num_predict'])
const CONFIGS = ['generationConfig', 'generation_config', 'options', 'parameters']

/** Tokens that a channel may generate in place of the caller's limit: `max`, or those of its override. */
function unlimitedIn({ typeName, paramOverride }: ActiveChannel, max: number): number {
  if (providerFor(typeName)?.ignoresOutputLimit) return max
  if (!paramOverride) return 0
  const members = [paramOverride, ...CONFIGS.map((name) => objectIn(paramOverride[name]))].flatMap(Object.entries)
  const values = members.filter(([name]) => LIMITS.has(name)).map(([, value]) => numberIn(value) ?? max)
  return Math.max(0, ...values)
}

/** The last limit found for a list of tiers; such a list is immutable and shared by requests. */
type KnownLimit = Readonly<{ limits: OutputLimits; model: string; limit: OutputLimit }>
const known = new WeakMap<readonly Tier[], KnownLimit>()

/** The longest output over the channels of tiers; cached, since there may be thousands. */
export function maxOfTiers(limits: OutputLimits, model: string, tiers: readonly Tier[]): OutputLimit {
  const found = known.get(tiers)
  if (found && found.limits === limits && found.model === model) return found.limit
  const channels = tiers.flatMap(({ members }) => members.map(({ channel }) => channel))
  const limit = maxOutputTokens(limits, model, channels)
  known.set(tiers, { limits, model, limit })
  return limit
}

/** A circular mapping is refused when its channel is tried. */
function nameIn(mapping: NonNullable<ActiveChannel['modelMapping']>, model: string): string {
  try {
    return mappedModel(model, mapping)
  } catch {
    return model
  }
}
