/** What a model takes, as far as its name tells (the vendor's model overview). */
export type ModelTraits = Readonly<{
  /** The name is a Claude's; of other models nothing is certain. */
  known: boolean
  /** Extended thinking at all (Claude 3.7 and later). */
  thinks: boolean
  /** Thinking of type `adaptive`, steered by `output_config.effort` (Claude 4.6 and later). */
  adaptive: boolean
  /** Thinking with a budget in tokens (up to Claude 4.6). */
  budgets: boolean
  /** `output_config.effort` knows `xhigh` (Claude 4.7 and later). */
  xhigh: boolean
  /** `temperature`, `top_p` and `top_k` (up to Claude 4.6). */
  sampling: boolean
  /** `temperature` and `top_p` in one request (before Claude 4.1). */
  bothSamplings: boolean
  /** `output_config.format` and strict tools (Claude 4.5 and later). */
  structured: boolean
  /** It can be made to call a tool, and not to think (up to Claude 5; "What's new in Claude Opus 5.5", "… Fable 5.1"). */
  forcible: boolean
  /** Instructions between the messages (Claude 4.8 and later, but Sonnet 5; "Mid-conversation system messages"). */
  systemMessages: boolean
}>

/**
 * The traits of a model under any of its spellings (`claude-sonnet-4-20250514`, `anthropic/claude-opus-4.6`,
 * `anthropic.claude-3-5-sonnet-20241022-v2:0`). Names of other vendors are taken to speak the dialect of Claude 4.
 */
export function traitsOf(model: string): ModelTraits {
  const version = claudeVersion(model)
  if (version === undefined) return OTHERS
  return {
    known: true,
    thinks: version >= 307,
    adaptive: version >= 406,
    budgets: version < 407,
    xhigh: version >= 407,
    sampling: version < 407,
    bothSamplings: version < 401,
    structured: version >= 405,
    forcible: !UNFORCIBLE.test(claudeName(model) ?? ''),
    systemMessages: version >= 408 && !(version === 500 && /sonnet/i.test(model)),
  }
}

const OTHERS: ModelTraits = {
  known: false,
  thinks: true,
  adaptive: false,
  budgets: true,
  xhigh: false,
  sampling: true,
  bothSamplings: true,
  structured: true,
  forcible: true,
  systemMessages: false,
}

/** Claude's newest, which decide for themselves whether to call a tool and whether to think. */
const UNFORCIBLE = /claude-[a-z]+-(?:5-[5-9]|[6-9])(?!\d)|claude-(?:fable|mythos)-5-\d/

/**
 * A Claude's name in Anthropic's own spelling, whatever a cloud or a router makes of it (`anthropic/claude-opus-4.6`,
 * `claude-sonnet-4@20250514`); undefined for other models.
 */
export function claudeName(model: string): string | undefined {
  const name = model.toLowerCase()
  const start = name.indexOf('claude-')
  return start < 0 ? undefined : name.slice(start).replace(/[.@]/g, '-')
}

const NUMBERED = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/

/** Claude's version as a hundredfold (4.6 is 406); a Claude without a number is a preview of the newest. Undefined for other models. */
export function claudeVersion(model: string): number | undefined {
  const name = model.toLowerCase()
  const [, major, minor] = NUMBERED.exec(name) ?? []
  if (major) return Number(major) * 100 + Number(minor ?? 0)
  return /claude-[a-z]/.test(name) ? Number.POSITIVE_INFINITY : undefined
}
