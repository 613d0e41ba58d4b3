import { type JsonObject, present } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Conversation, CustomTool, FunctionTool, HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { rootFolded } from '../root-schema.ts'
import { parametersOf, type SchemaWriting, schemaWriting } from '../schema-budget.ts'
import type { Writing } from './content-out.ts'

export function writeTools(tools: readonly Tool[], writing: Writing): readonly JsonObject[] {
  const schemas = schemaWriting('toolSchema', parametersOf(tools), writing.target.drop)
  const written: JsonObject[] = []
  const groups = new UntrustedMap<string, JsonObject[]>()
  for (const tool of tools) {
    if ('isLoaded' in tool && tool.isLoaded) continue
    const one = writeTool(tool, writing, schemas)
    if (!one) continue
    const group = 'namespace' in tool ? tool.namespace : undefined
    const known = group ? groups.get(group.name) : written
    if (known) known.push(one)
    else if (group) {
      const members = [one]
      groups.set(group.name, members)
      written.push(present({ type: 'namespace', name: group.name, description: group.description, tools: members }))
    }
  }
  return written
}

/**
 * Returns how often the vendor's tools may be called: `max_tool_calls` applies to all of them, so a search's limit can
 * be written only if there are no others.
 */
export function callLimit(tools: readonly Tool[], { target, isOwn }: Writing): number | undefined {
  const bounded = tools.find((tool) => tool.type === 'hosted' && tool.maxUses !== undefined)
  if (bounded?.type !== 'hosted') return undefined
  const others = tools.filter((tool) => tool.type === 'hosted' && tool !== bounded && tool.kind !== 'url-context')
  const isOnlyHosted = isOwn || others.length === 0
  if (isOnlyHosted) return bounded.maxUses
  target.drop('search.maxUses')
  return undefined
}

/** A single required name selects that tool; other names are the allowed tools. */
export function writeToolChoice({ mode, names = [] }: ToolChoice, { tools }: Conversation): JsonObject | string {
  if (mode === 'none' || names.length === 0) return mode
  const known = new UntrustedMap(
    tools
      .filter(isClients)
      .map((tool) => [tool.name, tool] as const)
      .reverse(),
  )
  const chosen = names.map((name) => reference(name, known.get(name)))
  const [only] = chosen
  return mode === 'required' && chosen.length === 1 && only ? only : { type: 'allowed_tools', mode, tools: chosen }
}

type ClientSideTool = FunctionTool | CustomTool
const isClients = (tool: Tool): tool is ClientSideTool => tool.type === 'function' || tool.type === 'custom'

function reference(name: string, tool: ClientSideTool | undefined): JsonObject {
  if (tool?.type === 'function' && tool.shape && tool.original) return { type: tool.shape }
  return { type: tool?.type === 'custom' ? 'custom' : 'function', name }
}

function writeTool(tool: Tool, writing: Writing, schemas: SchemaWriting): JsonObject | undefined {
  // The original came as an object of this dialect.
  if ('original' in tool && tool.original?.of === 'responses') return tool.original.value as JsonObject
  switch (tool.type) {
    case 'function':
      return functionTool(tool, writing, schemas)
    case 'custom':
      return present({ type: 'custom', name: tool.name, description: tool.description, format: tool.format })
    case 'hosted':
      return hostedTool(tool, writing)
    case 'extra':
      // The value came as an object of this dialect.
      if (tool.of === 'responses') return tool.value as JsonObject
      writing.target.drop(`tools.${tool.name}`)
      return undefined
  }
}

/** Functions are strict by default in this dialect, and not in the others. */
function functionTool(tool: FunctionTool, { target, isOwn }: Writing, schemas: SchemaWriting): JsonObject {
  if (tool.cache) target.drop('cache')
  const { name, description, parameters = NO_PARAMETERS } = tool
  return present({
    type: 'function',
    name,
    description,
    parameters: isOwn ? parameters : rootFolded(parameters, schemas),
    strict: tool.strict ?? (isOwn ? undefined : false),
  })
}

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false } as const

/** Writes a tool that OpenAI runs; blocked domains from other dialects, and URL context, are dropped and reported. */
function hostedTool(tool: HostedTool, { target, isOwn }: Writing): JsonObject | undefined {
  if (tool.kind === 'code-execution') return { type: 'code_interpreter', container: { type: 'auto' } }
  if (tool.kind === 'url-context') {
    target.drop('tools.url-context')
    return undefined
  }
  if (tool.blockedDomains && !isOwn) target.drop('search.blockedDomains')
  const filters = present({
    allowed_domains: tool.allowedDomains,
    blocked_domains: isOwn ? tool.blockedDomains : undefined,
  })
  return present({
    type: 'web_search',
    search_context_size: tool.contextSize,
    user_location: tool.location ? { type: 'approximate', ...tool.location } : undefined,
    filters: Object.keys(filters).length > 0 ? filters : undefined,
  })
}
