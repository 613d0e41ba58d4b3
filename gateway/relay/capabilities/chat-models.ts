import type { Effort } from './effort.ts'

/** The two API formats in which vendors of OpenAI's kind take a conversation. */
export type ApiFormat = 'chat' | 'responses'

/**
 * The API format that a model needs: one of the two, or Responses for some requests. `hosted-tools`: those with a tool
 * that the vendor runs; `tools`: those with any tool; `tools-unless-off`: those too, unless they say that the model is not
 * to think; `tools-and-effort`: those with a tool that the vendor runs, or with any where they say anything of thinking.
 */
export type ApiFormatRule = ApiFormat | 'hosted-tools' | 'tools' | 'tools-unless-off' | 'tools-and-effort'

/** When a model thinks: `asked` is when a request says so, `unless-off` is until a request says not to. */
export type Thinks = 'never' | 'asked' | 'unless-off' | 'always'

/** Members of a conversation that some models refuse. */
export type Refusable = 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty' | 'stop' | 'logProbabilities'

/** What a model takes in OpenAI's two API formats (docs/reference/conversion.md#parameters-by-model). */
export type ChatModel = Readonly<{
  /** OpenAI itself serves it, and seals its thoughts. */
  isOpenAi: boolean
  thinks: Thinks
  /** The values of `reasoning_effort` that it takes; empty where it takes none. */
  efforts: readonly Effort[]
  /** The member that switches its thinking on and off. */
  thinkingSwitch?: 'thinking' | 'enable_thinking'
  /** What it refuses in every request. */
  refuses: readonly Refusable[]
  /** What it refuses while it thinks. */
  refusesThinking: readonly Refusable[]
  /** Undefined where it is asked in the format of its caller. */
  apiFormat?: ApiFormatRule
  /** It takes marks of what is worth caching (`prompt_cache_breakpoint`). */
  hasBreakpoints: boolean
  /** What its answers can be held to: a schema, JSON of any shape, or nothing. */
  formats: 'schema' | 'json' | 'none'
}>

/** One family of models: its names without a vendor before them, the vendor's page it follows, and when that was read. */
type ChatRow = Readonly<{
  names: RegExp
  takes: Partial<ChatModel>
  page: string
  read: `${number}-${number}`
}>

const COMMON: readonly Effort[] = ['low', 'medium', 'high']
const EVERY: readonly Effort[] = ['none', 'minimal', ...COMMON, 'xhigh', 'max']

/** What OpenAI's models refuse while they think ("Reasoning models"). */
const OPENAI = {
  isOpenAi: true,
  refusesThinking: ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty', 'stop', 'logProbabilities'],
} as const
/** Thinks in every request: `none` is not among its efforts. */
const always = (...efforts: readonly Effort[]) => ({ ...OPENAI, thinks: 'always', efforts }) as const
const asked = (...efforts: readonly Effort[]) =>
  ({ ...OPENAI, thinks: 'asked', efforts: ['none', ...efforts] }) as const
const unlessOff = (...efforts: readonly Effort[]) =>
  ({ ...OPENAI, thinks: 'unless-off', efforts: ['none', ...efforts] }) as const

const HOSTED = { apiFormat: 'hosted-tools' } as const
const RESPONSES = { apiFormat: 'responses' } as const
const MARKED = { hasBreakpoints: true } as const
const MODEL_PAGES = 'OpenAI, page of each model'
const REASONING = 'OpenAI, "Reasoning models"'
const DEPLOYMENT = 'OpenAI, "Deployment checklist"'

/** OpenAI's own models, the narrower row first. Of a model that is not here the newest row of its family holds. */
const openaiRows: readonly ChatRow[] = [
  row(/^gpt-(?:4(?:-32k)?(?:-0314|-0613)?|3\.5-turbo(?:-16k)?-(?:0301|0613))$/, 'OpenAI, "Structured model outputs"', {
    isOpenAi: true,
    formats: 'none',
  }),
  row(/^gpt-(?:4-turbo|4-1106|4-0125|4-vision|3\.5-turbo)/, 'OpenAI, "Structured model outputs"', {
    isOpenAi: true,
    formats: 'json',
  }),
  row(/^gpt-4o-2024-05-13/, 'OpenAI, "Structured model outputs"', { isOpenAi: true, formats: 'json', ...HOSTED }),
  row(/^(?:gpt-4o[\w-]*-(?:audio|search)-preview|gpt-audio)/, MODEL_PAGES, { isOpenAi: true, apiFormat: 'chat' }),
  row(/^(?:gpt-4o|gpt-4\.1(?!-nano))(?![a-z])/, MODEL_PAGES, { isOpenAi: true, ...HOSTED }),
  row(/^(?:gpt-[34]|chatgpt-|gpt-5-chat)/, MODEL_PAGES, { isOpenAi: true }),
  // Chat models of 5.1 and later think a little, as they always do.
  row(/^gpt-[5-9][\w.-]*-chat/, 'OpenAI, page of gpt-5.2-chat-latest', always('medium')),
  row(/^gpt-[\d.]+-search-api/, MODEL_PAGES, { ...always('minimal', ...COMMON), apiFormat: 'chat' }),
  row(/^gpt-5-pro(?![a-z])/, MODEL_PAGES, { ...always('high'), ...RESPONSES }),
  row(/^gpt-[5-9][\w.-]*-pro(?![a-z])/, 'OpenAI, page of gpt-5.4-pro', {
    ...always('medium', 'high', 'xhigh'),
    ...RESPONSES,
  }),
  row(/^gpt-5\.1-codex-max/, MODEL_PAGES, { ...always(...COMMON, 'xhigh'), ...RESPONSES }),
  row(/^gpt-5(?:\.1)?-codex(?![a-z])/, MODEL_PAGES, { ...always(...COMMON), ...RESPONSES }),
  row(/^gpt-[5-9][\w.-]*-codex(?![a-z])/, 'OpenAI, page of gpt-5.3-codex', {
    ...always(...COMMON, 'xhigh'),
    ...RESPONSES,
  }),
  row(/^gpt-5(?![\d.])/, REASONING, { ...always('minimal', ...COMMON), ...HOSTED }),
  row(/^gpt-5\.1(?!\d)/, REASONING, { ...asked(...COMMON), ...HOSTED }),
  row(/^gpt-5\.[23](?!\d)/, REASONING, { ...asked(...COMMON, 'xhigh'), ...HOSTED }),
  row(/^gpt-5\.4(?!\d)/, REASONING, { ...asked(...COMMON, 'xhigh'), apiFormat: 'tools-and-effort' }),
  row(/^gpt-5\.5(?!\d)/, REASONING, { ...unlessOff(...COMMON, 'xhigh'), apiFormat: 'tools-and-effort' }),
  row(/^gpt-(?:5\.|6-(?:sol|luna))/, DEPLOYMENT, {
    ...unlessOff(...COMMON, 'xhigh', 'max'),
    apiFormat: 'tools-unless-off',
    ...MARKED,
  }),
  row(/^gpt-6\.1-terra/, 'OpenAI, page of gpt-6.1-terra', {
    ...unlessOff(...COMMON, 'xhigh', 'max'),
    apiFormat: 'tools',
    ...MARKED,
  }),
  row(/^gpt-[6-9](?![a-z])/, DEPLOYMENT, { ...always(...COMMON, 'xhigh', 'max'), apiFormat: 'tools', ...MARKED }),
  row(/^o1-(?:mini|preview)/, MODEL_PAGES, { ...always(), apiFormat: 'chat' }),
  row(/^o\d-pro(?![a-z])|^o\d[\w-]*-deep-research/, MODEL_PAGES, { ...always(...COMMON), ...RESPONSES }),
  row(/^(?:codex-mini|computer-use-preview)/, MODEL_PAGES, { ...always(...COMMON), ...RESPONSES }),
  row(/^(?:o3|o4-mini)(?![a-z])/, REASONING, { ...always(...COMMON), ...HOSTED }),
  row(/^(?:o\d|codex-)/, REASONING, always(...COMMON)),
]

const SWITCHED = { thinkingSwitch: 'thinking' } as const
const FIXED_SAMPLING = {
  refuses: ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty'],
} as const
const GROK = { refusesThinking: ['presencePenalty', 'frequencyPenalty', 'stop'] } as const
const KIMI = 'Moonshot, "Model parameter reference"'
const XAI = 'xAI, "Reasoning"'
const ZAI = 'Z.ai, "Deep thinking"'
const QWEN = 'Alibaba, "Deep thinking"'
const MISTRAL = 'Mistral, "Reasoning"'

/** Models of other vendors, in their own services and wherever else they are served in OpenAI's dialect. */
const otherRows: readonly ChatRow[] = [
  row(/^gpt-oss/, 'OpenAI, model card of gpt-oss', { thinks: 'always', efforts: COMMON }),

  row(/^grok-3-mini/, XAI, { ...GROK, thinks: 'always', efforts: ['low', 'high'] }),
  row(/^grok-[\w.-]*multi-agent/, XAI, {
    ...GROK,
    thinks: 'always',
    efforts: [...COMMON, 'xhigh'],
    apiFormat: 'responses',
  }),
  row(/^grok-[\w.-]*non-reasoning/, XAI, {}),
  row(/^grok-(?:4\.3|build)(?!\d)/, XAI, { ...GROK, thinks: 'unless-off', efforts: ['none', ...COMMON] }),
  row(/^grok-4\.5(?!\d)/, XAI, { ...GROK, thinks: 'always', efforts: COMMON }),
  row(/^grok-(?:4\.[6-9]|[5-9])/, XAI, { ...GROK, thinks: 'always', efforts: [...COMMON, 'xhigh'] }),
  row(/^grok-(?:4|code)/, XAI, { ...GROK, thinks: 'always' }),
  row(/^grok-/, XAI, {}),

  row(/^kimi-k2\.7-code/, KIMI, { ...FIXED_SAMPLING, ...SWITCHED, thinks: 'always' }),
  row(/^kimi-k2[.-][5-9]/, KIMI, { ...FIXED_SAMPLING, ...SWITCHED, thinks: 'unless-off' }),
  row(/^(?:kimi-k[3-9]|k3)/, 'Moonshot, "Thinking effort"', {
    ...FIXED_SAMPLING,
    thinks: 'always',
    efforts: ['low', 'high', 'max'],
  }),

  row(/^glm-(?:5\.[3-9]|[6-9])/, ZAI, { thinks: 'always', efforts: ['low', 'high', 'max'] }),
  row(/^glm-5\.2/, ZAI, { ...SWITCHED, thinks: 'unless-off', efforts: EVERY }),
  row(/^glm-(?:4\.[5-9]|5)/, ZAI, { ...SWITCHED, thinks: 'unless-off' }),

  row(/^deepseek-(?:reasoner|r\d)/, 'DeepSeek, "Thinking mode"', { thinks: 'always' }),
  row(/^deepseek-(?:v[4-9]|flash|pro)/, 'DeepSeek, "Thinking mode"', {
    ...SWITCHED,
    thinks: 'unless-off',
    efforts: ['low', 'high', 'max'],
  }),
  row(/^deepseek-(?:chat|v3\.[1-9])/, 'DeepSeek, "Thinking mode"', { ...SWITCHED, thinks: 'asked' }),

  row(/^(?:qwen.*thinking|q[wv]q)/, QWEN, { thinks: 'always' }),
  row(/^qwen(?:3\.[89]|[4-9])/, QWEN, {
    thinkingSwitch: 'enable_thinking',
    thinks: 'unless-off',
    efforts: ['low', 'medium', 'xhigh'],
  }),
  row(/^qwen3\.[5-7]/, QWEN, { thinkingSwitch: 'enable_thinking', thinks: 'unless-off' }),
  row(/^qwen(?:3-max|-(?:plus|flash|turbo))/, QWEN, { thinkingSwitch: 'enable_thinking', thinks: 'asked' }),

  row(/^minimax-m2/, 'MiniMax, "Text generation"', { thinks: 'always' }),
  row(/^minimax-m3(?![.\d])/, 'MiniMax, "Text generation"', { ...SWITCHED, thinks: 'unless-off' }),
  row(/^minimax-m[3-9]/, 'MiniMax, "Text generation"', { thinks: 'always', efforts: [...COMMON, 'xhigh', 'max'] }),

  row(/^magistral-small-latest|^mistral-(?:small-(?:4|latest|26)|medium-(?:3[.-]5|latest|26))/, MISTRAL, {
    thinks: 'asked',
    efforts: ['none', 'high'],
  }),
  row(/^magistral/, MISTRAL, { thinks: 'always' }),

  row(/^doubao-seed-1[.-]6-thinking/, 'Volcengine, "Deep thinking"', { thinks: 'always' }),
  row(/^doubao-seed/, 'Volcengine, "Deep thinking"', {
    ...SWITCHED,
    thinks: 'unless-off',
    efforts: ['minimal', ...COMMON],
  }),
  row(/^mimo-v[2-9]/, 'Xiaomi, "MiMo API reference"', { ...SWITCHED, thinks: 'unless-off' }),

  row(/^gemini-2\.5-pro/, 'Google, "OpenAI compatibility"', { thinks: 'always', efforts: COMMON }),
  row(/^gemini-2\.5/, 'Google, "OpenAI compatibility"', { thinks: 'unless-off', efforts: ['none', ...COMMON] }),
  row(/^gemini-3-flash|^gemini-3\.(?:1-flash|5|6)/, 'Google, "Gemini thinking"', {
    thinks: 'always',
    efforts: ['minimal', ...COMMON],
  }),
  row(/^gemini-[3-9]/, 'Google, "Gemini thinking"', { thinks: 'always', efforts: COMMON }),
]

export const chatRows: readonly ChatRow[] = [...openaiRows, ...otherRows]

function row(names: RegExp, page: string, takes: Partial<ChatModel>): ChatRow {
  return { names, takes, page, read: '2026-11' }
}

const PLAIN: ChatModel = {
  isOpenAi: false,
  thinks: 'never',
  efforts: [],
  refuses: [],
  refusesThinking: [],
  hasBreakpoints: false,
  formats: 'schema',
}

/** Each row of the table, completed once. */
const models = chatRows.map(({ names, takes }) => ({ names, model: { ...PLAIN, ...takes } }))

/**
 * What is known of a model under any of its spellings (`openai/gpt-5.6`, `ft:gpt-4o:…`); undefined for a name that no
 * family of the table has.
 */
export function chatModel(name: string): ChatModel | undefined {
  const found = known.get(name)
  if (found !== undefined) return found ?? undefined
  const bare = bareName(name)
  const model = models.find(({ names }) => names.test(bare))?.model
  if (known.size >= MAX_KNOWN) known.clear()
  if (name.length <= MAX_LENGTH) known.set(name, model ?? null)
  return model
}

/** Names that were looked up: a request asks several times, and most ask for the same few models. */
const known = new Map<string, ChatModel | null>()
const MAX_KNOWN = 1000
const MAX_LENGTH = 200

/** Whether a model thinks in a request that asks for an effort, or leaves that to the model. */
const willThink = ({ thinks }: ChatModel, effort: Effort | undefined): boolean =>
  effort === undefined ? thinks === 'always' || thinks === 'unless-off' : effort !== 'none'

/** The members that a model refuses in a request with that effort. */
export function refusedBy(model: ChatModel | undefined, effort: Effort | undefined): readonly Refusable[] {
  if (!model) return []
  return willThink(model, effort) ? [...model.refuses, ...model.refusesThinking] : model.refuses
}

/** A model's name without who made it (`openai/…`) and the mark of one that was tuned (`ft:…`), in lower case. */
function bareName(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  return own.startsWith('ft:') ? own.slice('ft:'.length) : own
}
