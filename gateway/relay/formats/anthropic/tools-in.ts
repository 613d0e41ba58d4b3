import { flagIn, isObject, numberIn, objectIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { Conversation, FunctionTool, HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { addition, additionsOf, cacheIn } from './cache-mark.ts'
import { OWN_MEMBERS, ownToolIn } from './client-tools.ts'

export function toolsIn(tools: unknown): readonly Tool[] {
  if (tools == null) return []
  if (!Array.isArray(tools)) throw malformed('tools')
  return tools.flatMap(toolIn)
}

/** A tool without a type, or of type `custom`, is the client's own. */
function toolIn(tool: unknown): readonly Tool[] {
  if (!isObject(tool)) throw malformed('tools')
  const type = textIn(tool.type)
  if (type === undefined || type === 'custom') return functionIn(tool)
  const own = ownToolIn(tool, type)
  if (own) return [own, ...additionsOf(tool, OWN_MEMBERS, COVERED)]
  const kind = hostedKind(type)
  const isLossless = TOOL_SEARCH.test(type)
  return kind
    ? hostedIn(tool, type, kind)
    : [{ type: 'extra', of: 'anthropic', name: type, value: tool, ...(isLossless ? { isCovered: true } : {}) }]
}

/** The vendor's search among the request's tools; other vendors get all the tools. */
const TOOL_SEARCH = /^tool_search_tool_(regex|bm25)(_\d{8})?$/

/** Members about when and how a tool is presented or its input streamed; leaving them out is no loss. */
const COVERED: ReadonlySet<string> = new Set(['defer_loading', 'eager_input_streaming'])

/** Reads a client's tool, and its other members (`defer_loading`, `input_examples`...) as additions. */
function functionIn(tool: Json): readonly Tool[] {
  const name = textIn(tool.name)
  if (name === undefined) throw malformed('tools.name')
  const description = textIn(tool.description)
  const strict = flagIn(tool.strict)
  const read: FunctionTool = {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    ...(isObject(tool.input_schema) ? { parameters: tool.input_schema } : {}),
    ...(strict === undefined ? {} : { strict }),
    ...cacheIn(tool),
  }
  return [read, ...additionsOf(tool, KNOWN.function, COVERED)]
}

/** Reads a hosted tool; its version is an addition if it differs from the one in `hostedTypes`. */
function hostedIn(tool: Json, type: string, kind: HostedTool['kind']): readonly Tool[] {
  const maxUses = numberIn(tool.max_uses)
  const read: HostedTool = {
    type: 'hosted',
    kind,
    ...(maxUses === undefined ? {} : { maxUses }),
    ...(isNames(tool.allowed_domains) ? { allowedDomains: tool.allowed_domains } : {}),
    ...(isNames(tool.blocked_domains) ? { blockedDomains: tool.blocked_domains } : {}),
    ...(isObject(tool.user_location) ? { location: locationIn(tool.user_location) } : {}),
  }
  const version = type === hostedTypes[kind].type ? [] : [addition('type', type, type)]
  return [read, ...version, ...additionsOf(tool, KNOWN.hosted)]
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** Leaves out the type, which is always `approximate`. */
function locationIn(location: Json): Record<string, string> {
  const known: Record<string, string> = {}
  for (const name of ['city', 'country', 'region', 'timezone']) {
    const value = textIn(location[name])
    if (value !== undefined) known[name] = value
  }
  return known
}

/** The members that a tool expresses; all others become additions. */
const KNOWN = {
  function: new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control']),
  hosted: new Set(['type', 'name', 'max_uses', 'allowed_domains', 'blocked_domains', 'user_location']),
} satisfies Record<string, ReadonlySet<string>>

export function choiceIn(value: unknown): Pick<Conversation, 'toolChoice' | 'parallelToolCalls'> {
  if (value == null) return {}
  const choice = objectIn(value)
  const toolChoice = modeIn(choice)
  if (!toolChoice) throw malformed('tool_choice')
  const single = flagIn(choice.disable_parallel_tool_use)
  return { toolChoice, ...(single === undefined ? {} : { parallelToolCalls: !single }) }
}

function modeIn(choice: Json): ToolChoice | undefined {
  const name = textIn(choice.name)
  if (choice.type === 'tool') return name === undefined ? undefined : { mode: 'required', names: [name] }
  if (choice.type === 'any') return { mode: 'required' }
  return choice.type === 'auto' || choice.type === 'none' ? { mode: choice.type } : undefined
}

/** The versions of hosted tools that are written; later versions accept the same members. */
export const hostedTypes = {
  'web-search': { type: 'web_search_20250305', name: 'web_search' },
  'code-execution': { type: 'code_execution_20250825', name: 'code_execution' },
  'url-context': { type: 'web_fetch_20250910', name: 'web_fetch' },
} as const satisfies Record<HostedTool['kind'], Readonly<{ type: string; name: string }>>

function hostedKind(type: string): HostedTool['kind'] | undefined {
  const name = type.replace(/_\d{8}$/, '')
  if (name === hostedTypes['web-search'].name) return 'web-search'
  if (name === hostedTypes['code-execution'].name) return 'code-execution'
  return name === hostedTypes['url-context'].name ? 'url-context' : undefined
}
