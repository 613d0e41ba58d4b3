import { UntrustedSet } from '../../base/untrusted-keys.ts'
import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import { thinkingFor } from '../formats/anthropic/thinking.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, FunctionTool, OutputFormat, Tool, ToolChoice, Turn } from '../formats/conversation.ts'
import { isInstruction } from '../formats/instructions.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'
import type { StructuredAnswer } from '../transforms/structured-output.ts'
import { answerParameters, isUnclosable } from './answer-schema.ts'
import { type StructuredSupport, type SupportTarget, supportAt } from './vendor-support.ts'

export type StructuredPlan = Readonly<{
  /** How to read the model's answer; absent if the answer must be a call of the caller's tools. */
  answer?: StructuredAnswer
  tool?: FunctionTool
  choice?: ToolChoice
  /** False to limit the model to one call, if the vendor supports that. */
  parallel?: false
  output?: OutputFormat
  instruction?: string
  /**
   * The model is bound to the format only by an instruction: the caller is informed that the format was not requested.
   */
  isDropped: boolean
}>

type FormatRequest = Pick<Conversation, 'output' | 'tools' | 'toolChoice' | 'reasoning' | 'extras'>

/** The destination of a request, its channel's mode, and whether its caller uses the vendor's dialect. */
type StructuredTarget = SupportTarget & Readonly<{ mode: ChannelSetting['structured_output']; isNative: boolean }>

/**
 * Returns how JSON must be requested; undefined if the vendor supports the request as it is
 * (docs/reference/conversion.md#structured-output).
 */
export function structuredPlan(request: FormatRequest, target: StructuredTarget): StructuredPlan | undefined {
  const { output, toolChoice: choice } = request
  if (!output || target.mode === 'native') return undefined
  const support = supportFor(target)
  const state: State = {
    output,
    support,
    tools: request.tools,
    choice,
    isThinking: isThinking(request, target, support),
    mayCall: request.tools.length > 0 && choice?.mode !== 'none',
    name: freeName(request.tools),
    endpoint: target.endpoint,
  }
  if (isSupported(state, target.isNative)) return undefined
  // The answer must be a call of the caller's own tools, so the format of its text is irrelevant.
  if (state.mayCall && choice?.mode === 'required') return { isDropped: false }
  return forced(state) ?? formatted(state) ?? offered(state) ?? instructedOnly(state)
}

type State = Readonly<{
  output: OutputFormat
  support: StructuredSupport
  tools: readonly Tool[]
  choice: ToolChoice | undefined
  isThinking: boolean
  mayCall: boolean
  /** A unique name for the answer tool. */
  name: string
  endpoint: TalkEndpoint
}>

/** Returns the known support of a destination, unless the channel overrides it. */
function supportFor(target: StructuredTarget): StructuredSupport {
  const support = supportAt(target)
  if (target.mode === 'tool') return { ...support, schema: false, json: false, tools: true, forces: 'any' }
  return target.mode === 'prompt' ? { ...support, schema: false, json: false, tools: false } : support
}

/**
 * Whether the vendor supports the format unchanged. A caller in the vendor's own dialect sends a schema that the vendor
 * supports.
 */
function isSupported({ output, ...state }: State, isNative: boolean): boolean {
  if (!supportsFormats(state)) return false
  if (output.type === 'json') return state.support.json
  return state.support.schema && (isNative || !state.support.closesObjects || !isUnclosable(output.schema))
}

const supportsFormats = ({ support, tools, isThinking }: Omit<State, 'output'>): boolean =>
  (support.besideTools || tools.length === 0) && (support.whileThinking.formats || !isThinking)

/** Forces a call of the answer tool, or of one of the caller's; undefined if the vendor cannot force one. */
function forced(state: State): StructuredPlan | undefined {
  const { support, choice, isThinking, mayCall, name } = state
  if (!supportsTool(state) || (isThinking && !support.whileThinking.forces)) return undefined
  if (support.forces === 'none' || (support.forces === 'named' && state.tools.length > 0)) return undefined
  if (support.forces === 'unnamed' && !mayCall && state.tools.length > 0) return undefined
  const { tool, isWrapped } = answerTool(state)
  const names = mayCall ? choice?.names && [...choice.names, name] : [name]
  const to: ToolChoice = names && support.forces !== 'unnamed' ? { mode: 'required', names } : { mode: 'required' }
  const once = state.endpoint === 'messages' && !mayCall ? { parallel: false as const } : {}
  return { tool, choice: to, ...once, answer: { tool: name, isWrapped }, isDropped: false }
}

function formatted(state: State): StructuredPlan | undefined {
  const { output, support } = state
  if (!support.json || output.type === 'json' || !supportsFormats(state)) return undefined
  const { parameters, isWrapped } = answerParameters(output)
  return {
    output: { type: 'json' },
    instruction: inWords(parameters),
    answer: { isWrapped },
    isDropped: true,
  }
}

/** Offers the answer tool if the model can only be instructed to call it. */
function offered(state: State): StructuredPlan | undefined {
  const { choice, name } = state
  if (!supportsTool(state) || choice?.mode === 'none') return undefined
  const { tool, isWrapped } = answerTool(state)
  return {
    tool,
    ...(choice?.names ? { choice: { mode: 'auto', names: [...choice.names, name] } } : {}),
    instruction: `Give your final answer by calling the tool "${name}": its arguments are the answer. Say nothing else with it.`,
    answer: { tool: name, isWrapped },
    isDropped: true,
  }
}

const instructedOnly = ({ output }: State): StructuredPlan => ({
  instruction: inWords(output.type === 'json' ? undefined : output.schema),
  answer: {},
  isDropped: true,
})

const supportsTool = ({ support, tools }: State): boolean =>
  support.tools && (support.mixesTools || !tools.some(({ type }) => type === 'hosted'))

function answerTool({ output, name }: State): Readonly<{ tool: FunctionTool; isWrapped: boolean }> {
  const { parameters, isWrapped } = answerParameters(output)
  const described = output.type === 'schema' ? output.description : undefined
  const description = [TOOL_DESCRIPTION, ...(described ? [described] : [])].join(' ')
  return { tool: { type: 'function', name, description, parameters }, isWrapped }
}

const TOOL_DESCRIPTION = 'Gives the final answer in the form that is asked for. Call it once.'

const inWords = (schema: Json | undefined): string =>
  schema === undefined
    ? 'Answer with one JSON object and nothing else: no other words, no code fence.'
    : `Answer with JSON and nothing else: no other words, no code fence. It follows this JSON schema:\n${JSON.stringify(schema)}`

const ANSWER_TOOL = 'structured_answer'

function freeName(tools: readonly Tool[]): string {
  const taken = new UntrustedSet(tools.map((tool) => (tool.type === 'hosted' ? undefined : tool.name)))
  if (!taken.has(ANSWER_TOOL)) return ANSWER_TOOL
  let name = `${ANSWER_TOOL}_`
  for (let number = 2; taken.has(name); number += 1) name = `${ANSWER_TOOL}_${number}`
  return name
}

/** Whether the model will think, judging by request and name. */
export function isThinking(request: FormatRequest, place: SupportTarget, { thinks }: StructuredSupport): boolean {
  if (thinks === 'never' || thinks === 'always') return thinks === 'always'
  const requested = place.endpoint === 'messages' ? thinkingOfClaude(request, place.model) : thinkingOfOthers(request)
  return requested ?? thinks === 'unless-off'
}

function thinkingOfClaude({ reasoning, extras }: FormatRequest, model: string): boolean | undefined {
  const type = reasoning && thinkingFor(reasoning, traitsOf(model), extras.from === 'anthropic')?.type
  return type && type !== 'disabled'
}

function thinkingOfOthers({ reasoning, extras: { fields } }: FormatRequest): boolean | undefined {
  if (typeof fields.enable_thinking === 'boolean') return fields.enable_thinking
  const { mode, effort, budget } = reasoning ?? {}
  if (mode === 'off' || effort === 'none' || budget === 0) return false
  return mode !== undefined || effort !== undefined || budget !== undefined || undefined
}

export function structuredConversation(conversation: Conversation, plan: StructuredPlan): Conversation {
  const { tool, choice, parallel, output, instruction } = plan
  return {
    ...conversation,
    output,
    tools: tool ? [...conversation.tools, tool] : conversation.tools,
    toolChoice: choice ?? conversation.toolChoice,
    parallelToolCalls: parallel ?? conversation.parallelToolCalls,
    turns: instruction === undefined ? conversation.turns : instructed(conversation.turns, instruction),
  }
}

function instructed(turns: readonly Turn[], text: string): readonly Turn[] {
  const part = { type: 'text', text } as const
  const [first, ...others] = turns
  if (!first || !isInstruction(first)) return [{ role: 'system', parts: [part] }, ...turns]
  return [{ ...first, parts: [...first.parts, part] }, ...others]
}
