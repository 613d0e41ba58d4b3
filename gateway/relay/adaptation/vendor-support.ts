import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { chatModel, type Thinks } from '../capabilities/chat-models.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'

/** A vendor's and model's support for JSON output (docs/reference/conversion.md#structured-output). */
export type StructuredSupport = Readonly<{
  schema: boolean
  json: boolean
  /** Accepts schemas and JSON also in combination with tools. */
  besideTools: boolean
  /** Accepts the caller's tools together with tools that the vendor runs. */
  mixesTools: boolean
  /** Objects with unnamed members come back empty, and recursive schemas are refused. */
  closesObjects: boolean
  /** What can be forced: any or a specific tool, only some tool, only a specific tool, or nothing. */
  forces: 'any' | 'unnamed' | 'named' | 'none'
  thinks: Thinks
  /** What is supported while thinking: formats, and forced calls. */
  whileThinking: Readonly<{ formats: boolean; forces: boolean }>
  tools: boolean
}>

export type SupportTarget = Readonly<{ typeName: ChannelTypeName; endpoint: TalkEndpoint; model: string }>

/** Returns the support from the first matching row, or full support; for Messages, that of the Claude model. */
export function supportAt({ typeName, endpoint, model }: SupportTarget): StructuredSupport {
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
  thinks: 'on-request',
  whileThinking: { formats: true, forces: true },
  tools: true,
}

type Row = Readonly<{
  at: TalkEndpoint
  types?: readonly ChannelTypeName[]
  models?: RegExp
  support: Partial<StructuredSupport>
}>

/** Models for which Bedrock refuses schemas that Anthropic accepts, according to user reports. */
const REFUSED_ON_BEDROCK = /claude-(?:opus-4[-.]7|sonnet-4[-.]6|haiku-4[-.]5)/

/**
 * Anthropic's dialect: schemas since Claude 4.5, at Anthropic itself ("Structured outputs"). Bedrock refuses them for
 * several models, Vertex unless an organization's policy was changed; vendors that adopted the dialect ignore them.
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

/** OpenAI's first models support no schema, or no format at all ("Structured model outputs"). */
function openAiFormats(typeName: ChannelTypeName, model: string): Partial<StructuredSupport> {
  if (typeName !== 'openai' && typeName !== 'azure') return {}
  const formats = chatModel(model)?.formats ?? 'schema'
  return { schema: formats === 'schema', json: formats !== 'none' }
}

const TALK_ONLY = { schema: false, json: false, tools: false } as const
const NO_SCHEMA = { schema: false } as const
const FORMATS_ONLY = { whileThinking: { formats: true, forces: false } } as const
const NEITHER = { whileThinking: { formats: false, forces: false } } as const

/** From the vendors' own documents, narrower rows first (docs/reference/conversion.md#structured-output names them). */
const rows: readonly Row[] = [
  // DeepSeek: "JSON Output", "Thinking Mode": no forced tools while its models think.
  { at: 'chat', types: ['deepseek'], support: { ...NO_SCHEMA, ...FORMATS_ONLY } },
  // Moonshot: "Model parameter reference": K3 can be forced to call a tool, but not a specific one; K2.5 to K2.9 only
  // while they do not think; the others never, and they support no schema.
  { at: 'chat', types: ['moonshot'], models: /^kimi-k[3-9]/, support: { forces: 'unnamed' } },
  { at: 'chat', types: ['moonshot'], models: /^kimi-k2[.-][5-9]/, support: FORMATS_ONLY },
  { at: 'chat', types: ['moonshot'], support: { schema: false, forces: 'none' } },
  // Zhipu: "Structured output" has JSON mode with the schema in the prompt, "Chat" supports only `auto`.
  { at: 'chat', types: ['zhipu-v4'], support: { schema: false, forces: 'none' } },
  // DashScope: "Structured output" names the models; formats are not supported while they think. Otherwise, only a
  // specific tool can be forced.
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
  { at: 'chat', types: ['ali'], support: { ...NO_SCHEMA, ...NEITHER, forces: 'named' } },
  // MiniMax: "Text generation"; a format only for the first of its models, no `tool_choice`.
  { at: 'chat', types: ['minimax'], models: /^minimax-text/i, support: { forces: 'none' } },
  { at: 'chat', types: ['minimax'], support: { schema: false, json: false, forces: 'none' } },
  // SiliconFlow: "JSON mode".
  { at: 'chat', types: ['siliconflow'], support: { schema: false, forces: 'none' } },
  // Perplexity: "Structured outputs"; its models call no tools.
  { at: 'chat', types: ['perplexity'], support: { tools: false } },
  // Gemini: before Gemini 3, a response type is refused in combination with functions, and so are functions with the
  // vendor's tools.
  {
    at: 'generate',
    models: /gemini-(?:pro|[12](?:[.-]|$))|^gemma/,
    support: { besideTools: false, mixesTools: false },
  },
  // Cohere, "Chat, v1": no format in combination with tools, and calls cannot be forced.
  { at: 'own', types: ['cohere'], support: { besideTools: false, forces: 'none' } },
  // Hunyuan, "ChatCompletions": `CustomTool` can force only a single offered tool.
  { at: 'own', types: ['tencent'], support: { schema: false, json: false, forces: 'named' } },
  // Qianfan's first interface: JSON mode, and one forced function.
  { at: 'own', types: ['baidu'], support: { schema: false, forces: 'named' } },
  // Spark, "Web API": Max and 4.0 Ultra support functions, but not forced calls.
  {
    at: 'own',
    types: ['xunfei'],
    models: /-v(?:3\.5|4\.0)$/i,
    support: { schema: false, json: false, forces: 'none' },
  },
  { at: 'own', support: TALK_ONLY },
]
