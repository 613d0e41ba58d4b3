import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { chatModel, type Thinks } from '../capabilities/chat-models.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'

/** What a vendor's model can do about an answer in JSON (docs/reference/conversion.md#structured-output). */
export type StructuredSupport = Readonly<{
  /** It takes a schema for its answer. */
  schema: boolean
  /** It takes that its answer is to be JSON of any shape. */
  json: boolean
  /** Both also in a request that offers tools. */
  besideTools: boolean
  /** The caller's tools may be offered together with tools that the vendor runs. */
  mixesTools: boolean
  /** Objects of any members come back empty, and schemas that are part of themselves are refused. */
  closesObjects: boolean
  /** What it can be made to call: any tool or a certain one, some tool, the one it is offered, or none. */
  forces: 'any' | 'unnamed' | 'named' | 'none'
  /** When it thinks. */
  thinks: Thinks
  /** What it also does while it thinks: answers in a format, and calls what it has to. */
  whileThinking: Readonly<{ formats: boolean; forces: boolean }>
  /** It can be offered tools at all. */
  tools: boolean
}>

/** The model that is asked, and where. */
export type StructuredPlace = Readonly<{ typeName: ChannelTypeName; endpoint: TalkEndpoint; model: string }>

/** The support of the first row that holds for a place; of whatever no row knows, that it takes all it is asked for. */
export function supportAt({ typeName, endpoint, model }: StructuredPlace): StructuredSupport {
  if (endpoint === 'messages') return claudeSupport(typeName, model)
  const row = rows.find(
    ({ at, types, models }) =>
      at === endpoint && (!types || types.includes(typeName)) && (!models || models.test(model)),
  )
  const thinks = chatModel(model)?.thinks ?? FULL.thinks
  return { ...FULL, thinks, ...openAiFormats(typeName, model), ...row?.support }
}

const FULL: StructuredSupport = {
  schema: true,
  json: true,
  besideTools: true,
  mixesTools: true,
  closesObjects: false,
  forces: 'any',
  thinks: 'asked',
  whileThinking: { formats: true, forces: true },
  tools: true,
}

type Row = Readonly<{
  at: TalkEndpoint
  types?: readonly ChannelTypeName[]
  models?: RegExp
  support: Partial<StructuredSupport>
}>

/** Those of whom Bedrock refuses a schema that Anthropic takes, as their callers report. */
const REFUSED_ON_BEDROCK = /claude-(?:opus-4[-.]7|sonnet-4[-.]6|haiku-4[-.]5)/

/**
 * Anthropic's dialect: schemas since Claude 4.5, at Anthropic itself ("Structured outputs"). Bedrock refuses them of
 * several models, Vertex unless an organisation's policy was changed; vendors that took the dialect over ignore them.
 */
function claudeSupport(typeName: ChannelTypeName, model: string): StructuredSupport {
  const { known, structured, thinks, forces } = traitsOf(model)
  const isOffered = typeName === 'anthropic' || (typeName === 'aws' && !REFUSED_ON_BEDROCK.test(model))
  return {
    ...FULL,
    schema: isOffered && known && structured,
    json: false,
    closesObjects: true,
    forces: forces ? 'any' : 'none',
    thinks,
    whileThinking: { formats: true, forces: false },
  }
}

/** OpenAI's first models take no schema, or no format at all ("Structured model outputs"). */
function openAiFormats(typeName: ChannelTypeName, model: string): Partial<StructuredSupport> {
  if (typeName !== 'openai' && typeName !== 'azure') return {}
  const formats = chatModel(model)?.formats ?? 'schema'
  return { schema: formats === 'schema', json: formats !== 'none' }
}

const TALK_ONLY = { schema: false, json: false, tools: false } as const
const UNSCHEMED = { schema: false } as const
const FORMATS_ONLY = { whileThinking: { formats: true, forces: false } } as const
const NEITHER = { whileThinking: { formats: false, forces: false } } as const

/**
 * What vendors say of themselves, the narrower row first (docs/reference/conversion.md#structured-output names the
 * documents).
 */
const rows: readonly Row[] = [
  // DeepSeek: "JSON Output", "Thinking Mode": no forced tools while its models think.
  { at: 'chat', types: ['deepseek'], support: { ...UNSCHEMED, ...FORMATS_ONLY } },
  // Moonshot: "Model parameter reference": K3 can be made to call a tool, but not which; those before only while they do not think.
  { at: 'chat', types: ['moonshot'], models: /^kimi-k[3-9]/, support: { forces: 'unnamed' } },
  { at: 'chat', types: ['moonshot'], models: /^kimi-k2[.-][5-9]/, support: FORMATS_ONLY },
  { at: 'chat', types: ['moonshot'], support: { schema: false, forces: 'none' } },
  // Zhipu: "Structured output" has JSON mode with the schema in the prompt, "Chat" knows `auto` alone.
  { at: 'chat', types: ['zhipu-v4'], support: { schema: false, forces: 'none' } },
  // DashScope: "Structured output" names the models; none of it while they think, and one named tool otherwise.
  {
    at: 'chat',
    types: ['ali'],
    models: /thinking|^q[wv]q/,
    support: { schema: false, json: false, forces: 'none' },
  },
  {
    at: 'chat',
    types: ['ali'],
    models: /^(?:qwen3-max|qwen3\.[789]|qwen[4-9]|qwen-(?:plus|flash)|deepseek-v3\.2)/,
    support: { ...NEITHER, forces: 'named' },
  },
  { at: 'chat', types: ['ali'], support: { ...UNSCHEMED, ...NEITHER, forces: 'named' } },
  // MiniMax: "Text generation"; a format for the first of its models alone, no `tool_choice`.
  { at: 'chat', types: ['minimax'], models: /^minimax-text/i, support: { forces: 'none' } },
  { at: 'chat', types: ['minimax'], support: { schema: false, json: false, forces: 'none' } },
  // SiliconFlow: "JSON mode".
  { at: 'chat', types: ['siliconflow'], support: { schema: false, forces: 'none' } },
  // Perplexity: "Structured outputs"; its models call no tools.
  { at: 'chat', types: ['perplexity'], support: { tools: false } },
  // Gemini: a response type beside functions is refused before Gemini 3, and so are functions beside the vendor's tools.
  {
    at: 'generate',
    models: /gemini-(?:pro|[12](?:[.-]|$))|^gemma/,
    support: { besideTools: false, mixesTools: false },
  },
  // Cohere, "Chat, v1": no format beside tools, and none of those can be forced.
  { at: 'own', types: ['cohere'], support: { besideTools: false, forces: 'none' } },
  // Hunyuan, "ChatCompletions": `CustomTool` is the one tool that is offered.
  { at: 'own', types: ['tencent'], support: { schema: false, json: false, forces: 'named' } },
  // Qianfan's first interface: JSON mode, and one function that has to be called.
  { at: 'own', types: ['baidu'], support: { schema: false, forces: 'named' } },
  // Spark, "Web API": Max and 4.0 Ultra can be offered functions, and not be made to call them.
  {
    at: 'own',
    types: ['xunfei'],
    models: /-v(?:3\.5|4\.0)$/i,
    support: { schema: false, json: false, forces: 'none' },
  },
  { at: 'own', support: TALK_ONLY },
]
