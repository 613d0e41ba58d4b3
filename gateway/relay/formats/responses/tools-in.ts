import { isObject, type JsonObject, objectIn, objectsIn, present, textIn } from '../../../base/json/json.ts'
import type { FunctionTool, HostedTool, Namespace, Tool, ToolChoice } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { groupName, isVendorsSearch, ownToolOf, shapeOf } from './client-tools.ts'

export function readTools(wire: unknown): readonly Tool[] {
  if (wire === undefined || wire === null) return []
  if (!Array.isArray(wire)) throw malformed('tools')
  return wire.flatMap(readTool)
}

/**
 * Applies `max_tool_calls`, which counts all calls of the vendor's tools, to a search if it is the only such tool.
 * Undefined if the limit is absent, or if a search is not the only such tool.
 */
export function boundedTools(tools: readonly Tool[], max: unknown): readonly Tool[] | undefined {
  const vendors = tools.filter(({ type }) => type === 'hosted' || type === 'extra')
  const [search] = vendors
  if (typeof max !== 'number' || vendors.length !== 1 || search?.type !== 'hosted' || search.kind !== 'web-search')
    return undefined
  return tools.map((tool) => (tool === search ? { ...search, maxUses: max } : tool))
}

/** Whether a request has, or has had, client-run tools that other vendors know only as functions. */
export const hasClientTools = ({ tools, input }: JsonObject): boolean =>
  objectsIn(tools).some(({ type }) => CLIENTS.has(type)) || objectsIn(input).some(isOfClientTool)

const CLIENTS: ReadonlySet<unknown> = new Set([
  'namespace',
  'custom',
  'local_shell',
  'shell',
  'apply_patch',
  'tool_search',
])

const isOfClientTool = ({ type, namespace }: JsonObject): boolean =>
  namespace !== undefined ||
  type === 'additional_tools' ||
  CLIENTS.has((textIn(type) ?? '').replace(/(_tool)?_call(_output)?$|_output$/, ''))

/** Returns the tools that input items add: results of a tool search, and tools that the client adds later. */
export const loadedTools = (input: unknown): readonly Tool[] =>
  Array.isArray(input) ? input.flatMap((item) => (isLoading(item) ? readTools(item.tools).map(loaded) : [])) : []

const isLoading = (item: unknown): item is JsonObject =>
  isObject(item) && (item.type === 'tool_search_output' || item.type === 'additional_tools')

const loaded = (tool: Tool): Tool =>
  tool.type === 'function' || tool.type === 'custom' ? { ...tool, isLoaded: true } : tool

/** Returns undefined for a choice that cannot be expressed, such as one of a tool that the vendor runs. */
export function readToolChoice(wire: unknown): ToolChoice | undefined {
  if (wire === 'auto' || wire === 'none' || wire === 'required') return { mode: wire }
  if (!isObject(wire)) throw malformed('tool_choice')
  const name = calledName(wire)
  if (name !== undefined) return { mode: 'required', names: [name] }
  if (wire.type !== 'allowed_tools' || !(wire.mode === 'auto' || wire.mode === 'required')) return undefined
  const allowed = objectsIn(wire.tools)
  const names = allowed.map(calledName).filter((each) => each !== undefined)
  return names.length === allowed.length ? { mode: wire.mode, names } : undefined
}

function readTool(wire: unknown): readonly Tool[] {
  const name = isObject(wire) ? textIn(wire.type) : undefined
  if (!isObject(wire) || name === undefined) throw malformed('tools')
  if (name === 'namespace') return groupedTools(wire)
  if (name === 'function') return [functionTool(wire)]
  if (name === 'custom') return [customTool(wire)]
  const known = ownToolOf(wire) ?? hostedTool(wire, name)
  return [
    known ?? { type: 'extra', of: 'responses', name, value: wire, ...(isLossless(wire) ? { isCovered: true } : {}) },
  ]
}

/** Returns each tool of a group, with the group; other members of a group are unchanged. */
function groupedTools(wire: JsonObject): readonly Tool[] {
  const namespace: Namespace = { name: groupName(wire), ...described(wire) }
  return readTools(wire.tools).map((tool) =>
    tool.type === 'function' || tool.type === 'custom' ? { ...tool, namespace } : tool,
  )
}

/**
 * Whether leaving out a tool is no loss: a search among tools that are all declared, and Codex's default search, which
 * uses only OpenAI's index and never the web.
 */
const isLossless = (wire: JsonObject): boolean =>
  isVendorsSearch(wire) || (SEARCH.test(textIn(wire.type) ?? '') && wire.external_web_access === false)

function functionTool(wire: JsonObject): Tool {
  const { strict, parameters } = wire
  return {
    type: 'function',
    name: nameOf(wire),
    ...described(wire),
    ...(isObject(parameters) ? { parameters } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...deferred(wire),
  }
}

/**
 * Stores the original of a tool with `defer_loading`, which is only written in this dialect; for others, all tools are
 * sent.
 */
const deferred = (wire: JsonObject): Pick<FunctionTool, 'original'> =>
  wire.defer_loading === undefined ? {} : { original: { of: 'responses', value: wire } }

function customTool(wire: JsonObject): Tool {
  const { format } = wire
  const rest = { ...described(wire), ...(isObject(format) ? { format } : {}), ...deferred(wire) }
  return { type: 'custom', name: nameOf(wire), ...rest }
}

/** Reads tools that other vendors also run, unless they use options that only OpenAI has. */
function hostedTool(wire: JsonObject, type: string): HostedTool | undefined {
  if (SEARCH.test(type)) return webSearch(wire)
  const container = objectIn(wire.container)
  const isPlain = container.type === 'auto' && Object.keys(container).length === 1
  return type === 'code_interpreter' && isPlain ? { type: 'hosted', kind: 'code-execution' } : undefined
}

/** The web search in each of its versions. */
const SEARCH = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/

/** Reads a search of the live web; undefined for one limited to the vendor's index, which no other vendor has. */
function webSearch(wire: JsonObject): HostedTool | undefined {
  if (wire.external_web_access === false) return undefined
  const contextSize = sizes.find((size) => size === wire.search_context_size)
  const filters = objectIn(wire.filters)
  const userLocation = Object.entries(objectIn(wire.user_location)).filter(
    (entry): entry is [string, string] => entry[0] !== 'type' && typeof entry[1] === 'string',
  )
  return {
    type: 'hosted',
    kind: 'web-search',
    ...(contextSize ? { contextSize } : {}),
    ...(Array.isArray(filters.allowed_domains) ? { allowedDomains: filters.allowed_domains.filter(isText) } : {}),
    ...(Array.isArray(filters.blocked_domains) ? { blockedDomains: filters.blocked_domains.filter(isText) } : {}),
    ...(userLocation.length > 0 ? { location: Object.fromEntries(userLocation) } : {}),
  }
}

const sizes = ['low', 'medium', 'high'] as const

const isText = (value: unknown): value is string => typeof value === 'string'

const calledName = (wire: JsonObject): string | undefined =>
  wire.type === 'function' || wire.type === 'custom' ? textIn(wire.name) : shapeOf(textIn(wire.type))

function nameOf(wire: JsonObject): string {
  if (typeof wire.name !== 'string') throw malformed('tools.name')
  return wire.name
}

const described = (wire: JsonObject) => present({ description: textIn(wire.description) })
