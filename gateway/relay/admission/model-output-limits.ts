import { numberIn, objectIn } from '../../base/json/json.ts'
import { createNamePatterns } from '../../base/name-patterns.ts'
import { searchesAlways } from '../../billing/tool-prices.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { mappedModel } from '../../channels/registry/model-name.ts'
import type { Tier } from '../../channels/registry/picker.ts'
import { chatModel } from '../capabilities/chat-models.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import { maxOutputOf } from '../formats/anthropic/max-output.ts'
import { providerFor } from '../providers/index.ts'
import { hasKnownImages } from '../tokenizer/images.ts'
import { hasUnknownMembers } from './plain-members.ts'

/** The longest output of a model, in tokens, and how its vendors count reasoning. */
export type OutputLimit = Readonly<{
  tokens: number
  /** Documented by the vendor or set by the operator, not the default for unknown models. */
  isKnown: boolean
  isSet: boolean
  /** Tokens that a channel may generate although the caller's limit is lower; 0 if all channels respect it. */
  unlimited: number
}> &
  Traits

/** A trait counts if at least one of the channels has it. */
type Traits = Readonly<{
  /** Part of the output is reasoning that streams do not show. */
  hasHiddenReasoning: boolean
  /** A Claude model by its name, or any model at a channel of Anthropic's type. */
  isClaude: boolean
  /** A conversion to Anthropic's dialect writes a requested budget, and (`takesEffortBudgets`) one for an effort. */
  takesBudgets: boolean
  takesEffortBudgets: boolean
  /** A Claude that thinks unless the request disables it, or whose name requests thinking. */
  thinksUnasked: boolean
  /** The name ends in `-thinking` (docs/reference/conversion.md#model-suffixes). */
  hasThinkingName: boolean
  isQwen: boolean
  /** The vendor's output limit does not include reasoning. */
  excludesReasoning: boolean
  /** The model reasons unless the request disables it, as far as known. */
  reasonsUnasked: boolean
  /** The model's responses may have images, judging by its name. */
  draws: boolean
  /** The model searches the web for every response. */
  searches: boolean
  /** The tokens of an image are not known without the vendor. */
  hasUnknownImages: boolean
  /** The vendor or the channel adds to the prompt: the instructions of an app, or search results. */
  addsToPrompt: boolean
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
      isSet: found !== undefined,
      unlimited: 0,
      ...(/claude/i.test(model) ? claudeTraits(model) : NOT_CLAUDE),
      hasHiddenReasoning: family?.[2] === 'unseen',
      hasThinkingName: model.endsWith('-thinking'),
      isQwen: /qwen|qwq/i.test(model),
      excludesReasoning: false,
      reasonsUnasked: reasonsUnasked(model),
      draws: /image/i.test(model),
      searches: searchesAlways(model),
      hasUnknownImages: !hasKnownImages(model),
      addsToPrompt: ADDING_NAME.test(model),
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

/** Names of apps (Volcengine), of searching models (Baidu), and of models that a suffix makes search (OpenRouter). */
const ADDING_NAME = /^bot-|-search(?:-|$)|:online$/i

type ClaudeTraits = Pick<Traits, 'isClaude' | 'takesBudgets' | 'takesEffortBudgets' | 'thinksUnasked'>

const NOT_CLAUDE: ClaudeTraits = {
  isClaude: false,
  takesBudgets: false,
  takesEffortBudgets: false,
  thinksUnasked: false,
}

function claudeTraits(model: string): ClaudeTraits {
  const { known, thinks, budgets, adaptive } = traitsOf(model)
  const takesBudgets = thinks !== 'never' && budgets
  return {
    isClaude: true,
    takesBudgets,
    takesEffortBudgets: takesBudgets && !adaptive,
    thinksUnasked: (known && (thinks === 'unless-off' || thinks === 'always')) || THINKING_NAME.test(model),
  }
}

/** Suffixes that configure thinking (docs/reference/conversion.md#model-suffixes). */
const THINKING_NAME = /-(?:thinking|max|xhigh|high|medium|low)$/

/** Names of models that reason, beyond those that are known. */
const REASONING = /thinking|[-_.](?:r1|z1)|qwq|hunyuan-a13b|minimax-m\d|step-?3|^ep-|^bot-/i

function reasonsUnasked(model: string): boolean {
  const thinks = chatModel(model)?.thinks
  return thinks === undefined ? REASONING.test(model) : thinks === 'unless-off' || thinks === 'always'
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
  [/gemini-(?:\d|flash|pro)/, 65_536, 'unseen'],
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
  [/nova-2/, 64_000, 'unseen'],
  [/nova-(?:micro|lite|pro|premier)/, 10_000],
]

/**
 * The longest output over the names that channels map a model to, unless the operator has set a limit for the requested
 * name, and the traits of all these names and channels.
 */
export function maxOutputTokens(limits: OutputLimits, model: string, channels: readonly ActiveChannel[]): OutputLimit {
  const own = limits(model)
  let found: OutputLimit | undefined
  for (const channel of channels) {
    const limit = limitAt(limits, model, channel, own)
    const longest = found && found.tokens >= limit.tokens ? found : limit
    found = found && found !== limit ? { ...longest, ...either(found, limit) } : limit
  }
  if (!found) return own
  const { tokens, isKnown, isSet } = own.isSet ? own : found
  return { ...found, tokens, isKnown, isSet, searches: own.searches || found.searches }
}

function limitAt(limits: OutputLimits, model: string, channel: ActiveChannel, own: OutputLimit): OutputLimit {
  const { modelMapping, typeName } = channel
  const name = modelMapping ? nameIn(modelMapping, model) : model
  const limit = modelMapping ? limits(name) : own
  const unlimited = unlimitedIn(channel, own.isSet ? own.tokens : limit.tokens)
  const excludesReasoning = providerFor(typeName)?.excludesReasoning === true
  const isOthers = typeName === 'anthropic' && !limit.isClaude
  const addsToPrompt = limit.addsToPrompt || addsIn(channel)
  if (unlimited === 0 && !excludesReasoning && !isOthers && addsToPrompt === limit.addsToPrompt) return limit
  return { ...limit, ...(isOthers ? claudeTraits(name) : {}), unlimited, excludesReasoning, addsToPrompt }
}

/** The traits that at least one of two limits has, and the larger `unlimited`. */
function either(one: OutputLimit, other: OutputLimit): Traits & Pick<OutputLimit, 'unlimited'> {
  return {
    unlimited: Math.max(one.unlimited, other.unlimited),
    hasHiddenReasoning: one.hasHiddenReasoning || other.hasHiddenReasoning,
    isClaude: one.isClaude || other.isClaude,
    takesBudgets: one.takesBudgets || other.takesBudgets,
    takesEffortBudgets: one.takesEffortBudgets || other.takesEffortBudgets,
    thinksUnasked: one.thinksUnasked || other.thinksUnasked,
    hasThinkingName: one.hasThinkingName || other.hasThinkingName,
    isQwen: one.isQwen || other.isQwen,
    excludesReasoning: one.excludesReasoning || other.excludesReasoning,
    reasonsUnasked: one.reasonsUnasked || other.reasonsUnasked,
    draws: one.draws || other.draws,
    searches: one.searches || other.searches,
    hasUnknownImages: one.hasUnknownImages || other.hasUnknownImages,
    addsToPrompt: one.addsToPrompt || other.addsToPrompt,
  }
}

/** Characters of a channel's system prompt that callers who leave may have for nothing. */
const MAX_UNSEEN = 500

function addsIn({ typeName, setting, paramOverride }: ActiveChannel): boolean {
  if (providerFor(typeName)?.addsToPrompt || setting.system_prompt.length > MAX_UNSEEN) return true
  return paramOverride !== null && hasUnknownMembers(paramOverride)
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
