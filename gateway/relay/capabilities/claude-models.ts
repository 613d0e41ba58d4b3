import { chatModel, type Thinks } from './chat-models.ts'

/** What a model supports in Anthropic's dialect, by its name (docs/reference/conversion.md#parameters-by-model). */
export type ModelTraits = Readonly<{
  /** Whether the name is that of a Claude model; for other models, the traits are assumptions. */
  known: boolean
  /**
   * Claude 3.7 and later can think; Sonnet 5, Opus 5 and Haiku 5.5 do unless it is disabled; Fable, Mythos, Opus 5.5
   * and Sonnet 5.5 always do ("What's new in Claude Opus 5.5", "… Sonnet 5.5", "… Haiku 5.5"; read 2026-11).
   */
  thinks: Thinks
  /** Thinking of type `adaptive`, controlled by `output_config.effort` (Claude 4.6 and later; "Adaptive thinking"). */
  adaptive: boolean
  /** Thinking with a token budget (up to Claude 4.6). */
  budgets: boolean
  /** `output_config.effort` supports `xhigh` (Claude 4.7 and later; "Effort"). */
  xhigh: boolean
  /** `temperature`, `top_p` and `top_k` (up to Claude 4.6). */
  sampling: boolean
  /** `temperature` and `top_p` in one request (before Claude 4.1). */
  bothSamplings: boolean
  /** `output_config.format` and strict tools (Claude 4.5 and later; "Structured outputs"). */
  structured: boolean
  /** Tool calls can be forced while it does not think (not Opus 5.5, Sonnet 5.5, Fable 5.1, Mythos 5.1 and later). */
  forces: boolean
  /** Instructions between messages (Claude 4.8 and later, but not Sonnet 5; "Mid-conversation system messages"). */
  systemMessages: boolean
}>

/**
 * The traits of a model under any of its spellings (`claude-sonnet-4-20250514`, `anthropic/claude-opus-4.6`,
 * `anthropic.claude-3-5-sonnet-20241022-v2:0`). Other vendors' models are assumed to support the dialect of Claude 4,
 * and structured outputs.
 */
export function traitsOf(model: string): ModelTraits {
  const version = claudeVersion(model)
  if (version === undefined) return { ...OTHERS, thinks: thinksElsewhere(model) }
  return {
    known: true,
    thinks: claudeThinks(model, version),
    adaptive: version >= 406,
    budgets: version < 407,
    xhigh: version >= 407,
    sampling: version < 407,
    bothSamplings: version < 401,
    structured: version >= 405,
    forces: SMALL.test(model) || version < (LARGEST.test(model) ? 501 : 505),
    systemMessages: version >= 408 && !(version === 500 && /sonnet/i.test(model)),
  }
}

const OTHERS: ModelTraits = {
  known: false,
  thinks: 'on-request',
  adaptive: false,
  budgets: true,
  xhigh: false,
  sampling: true,
  bothSamplings: true,
  structured: true,
  forces: true,
  systemMessages: false,
}

const LARGEST = /fable|mythos/i
const SMALL = /haiku/i

function claudeThinks(model: string, version: number): Thinks {
  if (version < 500) return version < 307 ? 'never' : 'on-request'
  return LARGEST.test(model) || (version >= 505 && !SMALL.test(model)) ? 'always' : 'unless-off'
}

/** Vendors that adopted the dialect adopted thinking with it. */
function thinksElsewhere(model: string): Thinks {
  const thinks = chatModel(model)?.thinks
  return thinks === undefined || thinks === 'never' ? 'on-request' : thinks
}

/**
 * The name of a Claude model in Anthropic's own spelling, from any spelling of clouds or routers
 * (`anthropic/claude-opus-4.6`, `claude-sonnet-4@20250514`); undefined for other models.
 */
export function claudeName(model: string): string | undefined {
  const name = model.toLowerCase()
  const start = name.indexOf('claude-')
  return start < 0 ? undefined : name.slice(start).replace(/[.@]/g, '-')
}

const NUMBERED = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/

/**
 * Claude's version, major times 100 plus minor (4.6 is 406); a Claude model without a number is a preview of the newest
 * version. Undefined for other models.
 */
export function claudeVersion(model: string): number | undefined {
  const name = model.toLowerCase()
  const [, major, minor] = NUMBERED.exec(name) ?? []
  if (major) return Number(major) * 100 + Number(minor ?? 0)
  return /claude-[a-z]/.test(name) ? Number.POSITIVE_INFINITY : undefined
}
