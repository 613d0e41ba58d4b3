import type { Effort } from './effort.ts'

/** The two API formats of OpenAI-compatible vendors for conversations. */
export type ApiFormat = 'chat' | 'responses'

/**
 * The API format that a model requires: one of the two, or Responses for some requests: those with a tool that the
 * vendor runs (`hosted-tools`); with any tool (`tools`); with any tool, unless they turn reasoning off
 * (`tools-unless-off`); with a tool that the vendor runs, or with any tool if they configure reasoning
 * (`tools-and-effort`).
 */
export type ApiFormatRule = ApiFormat | 'hosted-tools' | 'tools' | 'tools-unless-off' | 'tools-and-effort'

/** When a model reasons: `on-request` if the request enables it, `unless-off` unless the request disables it. */
export type Thinks = 'never' | 'on-request' | 'unless-off' | 'always'

export type Refusable = 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty' | 'stop' | 'logProbabilities'

/** What a model supports in OpenAI's two API formats (docs/reference/conversion.md#parameters-by-model). */
export type ChatModel = Readonly<{
  /** OpenAI serves it, and encrypts its reasoning, if any. */
  isOpenAi: boolean
  thinks: Thinks
  /** Supported values of `reasoning_effort`; empty if none. */
  efforts: readonly Effort[]
  thinkingSwitch?: 'thinking' | 'enable_thinking'
  refuses: readonly Refusable[]
  refusesThinking: readonly Refusable[]
  /** Undefined if it is called in the format of its caller. */
  apiFormat?: ApiFormatRule
  /** Supports cache marks (`prompt_cache_breakpoint`). */
  hasBreakpoints: boolean
  /** Output formats that can be enforced: a schema, JSON of any shape, or none. */
  formats: 'schema' | 'json' | 'none'
}>

/** One family of models: names without a vendor prefix, the vendor's page, and when that was read. */
type ChatRow = Readonly<{
  names: RegExp
  takes: Partial<ChatModel>
  page: string
  read: `${number}-${number}`
}>

const COMMON: readonly Effort[] = ['low', 'medium', 'high']
const EVERY: readonly Effort[] = ['none', 'minimal', ...COMMON, 'xhigh', 'max']

/** Refused by OpenAI's models while reasoning ("Reasoning models"). */
const OPENAI = {
  isOpenAi: true,
  refusesThinking: ['temperature', 'topP', 'presencePenalty', 'frequencyPenalty', 'stop', 'logProbabilities'],
} as const
/** Reasons in every request: `none` is not among its efforts. */
const always = (...efforts: readonly Effort[]) => ({ ...OPENAI, thinks: 'always', efforts }) as const
const onRequest = (...efforts: readonly Effort[]) =>
  ({ ...OPENAI, thinks: 'on-request', efforts: ['none', ...efforts] }) as const
const unlessOff = (...efforts: readonly Effort[]) =>
  ({ ...OPENAI, thinks: 'unless-off', efforts: ['none', ...efforts] }) as const

const HOSTED = { apiFormat: 'hosted-tools' } as const
const RESPONSES = { apiFormat: 'responses' } as const
const MARKED = { hasBreakpoints: true } as const
const MODEL_PAGES = 'OpenAI, page of each model'
const REASONING = 'OpenAI, "Reasoning models"'
const DEPLOYMENT = 'OpenAI, "Deployment checklist"'

/** OpenAI's models, the narrower row first. A model that is not listed gets the newest row of its family. */
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
  // Chat models of 5.1 and later always reason a little.
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
  row(/^gpt-5\.1(?!\d)/, REASONING, { ...onRequest(...COMMON), ...HOSTED }),
  row(/^gpt-5\.[23](?!\d)/, REASONING, { ...onRequest(...COMMON, 'xhigh'), ...HOSTED }),
  row(/^gpt-5\.4(?!\d)/, REASONING, { ...onRequest(...COMMON, 'xhigh'), apiFormat: 'tools-and-effort' }),
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

/** Models of other vendors, on their own services and elsewhere in OpenAI's dialect. */
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
  row(/^deepseek-(?:chat|v3\.[1-9])/, 'DeepSeek, "Thinking mode"', { ...SWITCHED, thinks: 'on-request' }),

  row(/^(?:qwen.*thinking|q[wv]q)/, QWEN, { thinks: 'always' }),
  row(/^qwen(?:3\.[89]|[4-9])/, QWEN, {
    thinkingSwitch: 'enable_thinking',
    thinks: 'unless-off',
    efforts: ['low', 'medium', 'xhigh'],
  }),
  row(/^qwen3\.[5-7]/, QWEN, { thinkingSwitch: 'enable_thinking', thinks: 'unless-off' }),
  row(/^qwen(?:3-max|-(?:plus|flash|turbo))/, QWEN, { thinkingSwitch: 'enable_thinking', thinks: 'on-request' }),

  row(/^minimax-m2/, 'MiniMax, "Text generation"', { thinks: 'always' }),
  row(/^minimax-m3(?![.\d])/, 'MiniMax, "Text generation"', { ...SWITCHED, thinks: 'unless-off' }),
  row(/^minimax-m[3-9]/, 'MiniMax, "Text generation"', { thinks: 'always', efforts: [...COMMON, 'xhigh', 'max'] }),

  row(/^magistral-small-latest|^mistral-(?:small-(?:4|latest|26)|medium-(?:3[.-]5|latest|26))/, MISTRAL, {
    thinks: 'on-request',
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

const models = chatRows.map(({ names, takes }) => ({ names, model: { ...PLAIN, ...takes } }))

/**
 * The entry of a model under any of its spellings (`openai/gpt-5.6`, `ft:gpt-4o:…`); undefined if no family matches.
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

/** Lookup cache: a request looks up several times, mostly the same few models. */
const known = new Map<string, ChatModel | null>()
const MAX_KNOWN = 1000
const MAX_LENGTH = 200

/** Whether a model reasons in a request with this effort; undefined leaves it to the model. */
const willThink = ({ thinks }: ChatModel, effort: Effort | undefined): boolean =>
  effort === undefined ? thinks === 'always' || thinks === 'unless-off' : effort !== 'none'

export function refusedBy(model: ChatModel | undefined, effort: Effort | undefined): readonly Refusable[] {
  if (!model) return []
  return willThink(model, effort) ? [...model.refuses, ...model.refusesThinking] : model.refuses
}

/** A model's name without its maker (`openai/…`) and the fine-tuning prefix (`ft:…`), in lower case. */
function bareName(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  return own.startsWith('ft:') ? own.slice('ft:'.length) : own
}
