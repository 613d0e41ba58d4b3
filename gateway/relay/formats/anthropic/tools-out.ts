import { objectIn, present } from '../../../base/json/json.ts'
import type { ModelTraits } from '../../capabilities/claude-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, FunctionTool, HostedTool, Tool } from '../conversation.ts'
import { asFunction } from '../free-text.ts'
import { rootFolded } from '../root-schema.ts'
import { parametersOf, type SchemaWriting, schemaWriting } from '../schema-budget.ts'
import { addedBy, cacheOut } from './cache-mark.ts'
import { schemaOut } from './schema.ts'
import { hostedTypes } from './tools-in.ts'

type ToolTarget = Readonly<{ traits: ModelTraits; native: boolean; drop: RequestTarget['drop'] }>

export function toolsOut(tools: readonly Tool[], target: ToolTarget): readonly Json[] {
  const schemas = schemaWriting('toolSchema', parametersOf(tools), target.drop)
  const written: Record<string, unknown>[] = []
  let last: Record<string, unknown> | undefined
  for (const tool of tools) {
    const added = tool.type === 'extra' && tool.of === 'anthropic' ? addedBy(tool) : undefined
    if (added) {
      if (last) Object.assign(last, added)
      continue
    }
    last = toolOut(tool, target, schemas)
    if (last) written.push(last)
  }
  return written
}

function toolOut(tool: Tool, target: ToolTarget, schemas: SchemaWriting): Record<string, unknown> | undefined {
  if ('original' in tool && tool.original?.of === 'anthropic') return { ...objectIn(tool.original.value) }
  if (tool.type === 'function') return functionOut(tool, target, schemas)
  if (tool.type === 'custom') return functionOut(asFunction(tool), target, schemas)
  if (tool.type === 'hosted') return hostedOut(tool, target)
  if (tool.of === 'anthropic') return { ...objectIn(tool.value) }
  target.drop(`tools.${tool.name}`)
  return undefined
}

/**
 * Writes a function; older models do not support `strict`. Its schema always has a type and properties, and no
 * alternatives at the root.
 */
function functionOut(
  tool: FunctionTool,
  { traits, native, drop }: ToolTarget,
  schemas: SchemaWriting,
): Record<string, unknown> {
  const hasStrict = tool.strict !== undefined && traits.structured
  if (tool.strict && !hasStrict) drop('strict')
  const schema = { properties: {}, ...rootFolded(tool.parameters ?? {}, schemas), type: 'object' }
  return {
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    input_schema: hasStrict && tool.strict ? schemaOut(schema, native) : schema,
    ...(hasStrict ? { strict: tool.strict } : {}),
    ...cacheOut(tool.cache),
  }
}

/** How often a web search of each context size may be called (docs/reference/conversion.md#openai-to-anthropic). */
const USES = { low: 1, medium: 5, high: 10 } as const

/** Writes a hosted tool in the version used here; an addition may override it. */
function hostedOut(tool: HostedTool, { native, drop }: ToolTarget): Record<string, unknown> {
  const known = hostedTypes[tool.kind]
  if (tool.kind === 'code-execution') return { ...known }
  const isSearch = tool.kind === 'web-search'
  const uses = native || !isSearch ? undefined : USES[tool.contextSize ?? 'medium']
  // The vendor accepts only one of the two lists.
  const isLimited = tool.allowedDomains !== undefined && tool.allowedDomains.length > 0
  if (isLimited && tool.blockedDomains) drop('search.blockedDomains')
  const location = isSearch && tool.location ? { type: 'approximate', ...tool.location } : undefined
  return {
    ...known,
    ...present({
      max_uses: tool.maxUses ?? uses,
      allowed_domains: tool.allowedDomains,
      blocked_domains: isLimited ? undefined : tool.blockedDomains,
      user_location: location,
    }),
  }
}

/**
 * Writes `tool_choice`, which can name only one tool: a longer list, and names without a required call, are reported
 * and let the model choose among all tools. Without a choice, it is only written to forbid several calls in one
 * response.
 */
export function choiceOut(
  { toolChoice, parallelToolCalls }: Conversation,
  drop: RequestTarget['drop'],
): Json | undefined {
  if (!toolChoice) return parallelToolCalls === false ? { type: 'auto', ...SINGLE } : undefined
  if (toolChoice.mode === 'none') return { type: 'none' }
  const names = toolChoice.names ?? []
  const forced = toolChoice.mode === 'required' && names.length === 1 ? names[0] : undefined
  if (names.length > 0 && forced === undefined) drop('toolChoice')
  const mode = toolChoice.mode === 'required' ? { type: 'any' } : { type: 'auto' }
  const single = parallelToolCalls === undefined ? {} : { disable_parallel_tool_use: !parallelToolCalls }
  return { ...(forced === undefined ? mode : { type: 'tool', name: forced }), ...single }
}

const SINGLE = { disable_parallel_tool_use: true } as const
