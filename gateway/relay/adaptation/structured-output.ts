import type { ChannelSetting } from '../../channels/registry/active-channel.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import { thinkingFor } from '../formats/anthropic/thinking.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation, FunctionTool, OutputFormat, Tool, ToolChoice, Turn } from '../formats/conversation.ts'
import { isInstruction } from '../formats/instructions.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'
import type { StructuredAnswer } from '../transforms/structured-output.ts'
import { answerParameters, isUnclosable } from './answer-schema.ts'
import { type StructuredPlace, type StructuredSupport, supportAt } from './vendor-support.ts'

/** How a model is asked for an answer in JSON that it does not give of itself. */
export type StructuredPlan = Readonly<{
  /** How its answer is read; absent where what it has to answer is a call of the caller's tools. */
  answer?: StructuredAnswer
  /** The tool whose arguments are to be the answer, and what is said of the choice among the tools then. */
  tool?: FunctionTool
  choice?: ToolChoice
  /** False where the vendor can be told that one call is enough. */
  parallel?: false
  /** The format that the vendor is still asked for. */
  output?: OutputFormat
  /** What the model is told besides. */
  instruction?: string
  /** Nothing but words holds the model to the format: the caller is told that it could not be asked for. */
  isDropped: boolean
}>

type Asked = Pick<Conversation, 'output' | 'tools' | 'toolChoice' | 'reasoning' | 'extras'>

/** Where a request goes, what its channel says of it, and whether its caller speaks the vendor's dialect. */
type StructuredTarget = StructuredPlace & Readonly<{ mode: ChannelSetting['structured_output']; isNative: boolean }>

/**
 * How a model has to be asked for JSON; undefined where it takes what the request says
 * (docs/reference/conversion.md#structured-output).
 */
export function structuredPlan(asked: Asked, target: StructuredTarget): StructuredPlan | undefined {
  const { output, toolChoice: choice } = asked
  if (!output || target.mode === 'native') return undefined
  const support = supportFor(target)
  const state: State = {
    output,
    support,
    tools: asked.tools,
    choice,
    isThinking: isThinking(asked, target, support),
    mayCall: asked.tools.length > 0 && choice?.mode !== 'none',
    name: freeName(asked.tools),
    endpoint: target.endpoint,
  }
  if (isTaken(state, target.isNative)) return undefined
  // The answer is to be a call of the caller's own tools: of what shape its text is matters to nobody.
  if (state.mayCall && choice?.mode === 'required') return { isDropped: false }
  return forced(state) ?? formatted(state) ?? offered(state) ?? told(state)
}

/** What a plan is made of. */
type State = Readonly<{
  output: OutputFormat
  support: StructuredSupport
  tools: readonly Tool[]
  choice: ToolChoice | undefined
  isThinking: boolean
  /** The caller's own tools may be called. */
  mayCall: boolean
  /** A name for the answer tool that none of the others has. */
  name: string
  endpoint: TalkEndpoint
}>

/** What is known of a place, unless the channel knows it better. */
function supportFor(target: StructuredTarget): StructuredSupport {
  const support = supportAt(target)
  if (target.mode === 'tool') return { ...support, schema: false, json: false, tools: true, forces: 'any' }
  return target.mode === 'prompt' ? { ...support, schema: false, json: false, tools: false } : support
}

/** Whether the vendor takes the format as it is. A caller of its own dialect has written a schema that it takes. */
function isTaken({ output, ...state }: State, isNative: boolean): boolean {
  if (!takesFormats(state)) return false
  if (output.type === 'json') return state.support.json
  return state.support.schema && (isNative || !state.support.closesObjects || !isUnclosable(output.schema))
}

const takesFormats = ({ support, tools, isThinking }: Omit<State, 'output'>): boolean =>
  (support.besideTools || tools.length === 0) && (support.whileThinking.formats || !isThinking)

/** The answer tool where the vendor can be told that it has to be called, it or one of the caller's. */
function forced(state: State): StructuredPlan | undefined {
  const { support, choice, isThinking, mayCall, name } = state
  if (!takesTool(state) || (isThinking && !support.whileThinking.forces)) return undefined
  if (support.forces === 'none' || (support.forces === 'named' && state.tools.length > 0)) return undefined
  if (support.forces === 'unnamed' && !mayCall && state.tools.length > 0) return undefined
  const { tool, isWrapped } = answerTool(state)
  const names = mayCall ? choice?.names && [...choice.names, name] : [name]
  const to: ToolChoice = names && support.forces !== 'unnamed' ? { mode: 'required', names } : { mode: 'required' }
  const once = state.endpoint === 'messages' && !mayCall ? { parallel: false as const } : {}
  return { tool, choice: to, ...once, answer: { tool: name, isWrapped }, isDropped: false }
}

/** JSON of any shape, with the schema in words. */
function formatted(state: State): StructuredPlan | undefined {
  const { output, support } = state
  if (!support.json || output.type === 'json' || !takesFormats(state)) return undefined
  const { parameters, isWrapped } = answerParameters(output)
  return {
    output: { type: 'json' },
    instruction: inWords(parameters),
    answer: { isWrapped },
    isDropped: true,
  }
}

/** The answer tool where the model can only be asked to call it. */
function offered(state: State): StructuredPlan | undefined {
  const { choice, name } = state
  if (!takesTool(state) || choice?.mode === 'none') return undefined
  const { tool, isWrapped } = answerTool(state)
  return {
    tool,
    ...(choice?.names ? { choice: { mode: 'auto', names: [...choice.names, name] } } : {}),
    instruction: `Give your final answer by calling the tool "${name}": its arguments are the answer. Say nothing else with it.`,
    answer: { tool: name, isWrapped },
    isDropped: true,
  }
}

/** Words alone. */
const told = ({ output }: State): StructuredPlan => ({
  instruction: inWords(output.type === 'json' ? undefined : output.schema),
  answer: {},
  isDropped: true,
})

const takesTool = ({ support, tools }: State): boolean =>
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
  const taken = new Set(tools.map((tool) => (tool.type === 'hosted' ? undefined : tool.name)))
  if (!taken.has(ANSWER_TOOL)) return ANSWER_TOOL
  let name = `${ANSWER_TOOL}_`
  for (let number = 2; taken.has(name); number += 1) name = `${ANSWER_TOOL}_${number}`
  return name
}

/** Whether the model will think, as far as request and name tell. */
export function isThinking(asked: Asked, place: StructuredPlace, { thinks }: StructuredSupport): boolean {
  if (thinks === 'never' || thinks === 'always') return thinks === 'always'
  const said = place.endpoint === 'messages' ? saidToClaude(asked, place.model) : saidToOthers(asked)
  return said ?? thinks === 'unless-off'
}

function saidToClaude({ reasoning, extras }: Asked, model: string): boolean | undefined {
  const type = reasoning && thinkingFor(reasoning, traitsOf(model), extras.from === 'anthropic')?.type
  return type && type !== 'disabled'
}

function saidToOthers({ reasoning, extras: { fields } }: Asked): boolean | undefined {
  if (typeof fields.enable_thinking === 'boolean') return fields.enable_thinking
  const { mode, effort, budget } = reasoning ?? {}
  if (mode === 'off' || effort === 'none' || budget === 0) return false
  return mode !== undefined || effort !== undefined || budget !== undefined || undefined
}

/** The conversation that asks for JSON as a plan has it. */
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

/** The turns with an instruction after the one that they begin with, else before all others. */
function instructed(turns: readonly Turn[], text: string): readonly Turn[] {
  const part = { type: 'text', text } as const
  const [first, ...others] = turns
  if (!first || !isInstruction(first)) return [{ role: 'system', parts: [part] }, ...turns]
  return [{ ...first, parts: [...first.parts, part] }, ...others]
}
