import { present } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, FunctionTool, HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { asFunction } from '../free-text.ts'
import { rootFolded } from '../root-schema.ts'
import { parametersOf, type SchemaWriting, schemaWriting } from '../schema-budget.ts'
import { cacheOut } from './fields.ts'
import { grammarOut } from './grammar.ts'

/**
 * Writes `tools`, `tool_choice`, `parallel_tool_calls` and `web_search_options`. OpenAI refuses `tool_choice` and
 * `parallel_tool_calls` without tools, so they are left out for clients of other dialects if there are none.
 */
export function toolsOut(conversation: Conversation, target: RequestTarget): Json {
  const { toolChoice, parallelToolCalls, extras } = conversation
  const offered = target.strictOpenai ? conversation.tools : allowed(conversation.tools, toolChoice)
  const schemas = schemaWriting('toolSchema', parametersOf(offered), target.drop)
  const tools = offered.flatMap((tool) => toolOut(tool, target, schemas))
  const hasTools = tools.length > 0 || extras.from === 'openai'
  return present({
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: hasTools && toolChoice ? choiceOut(toolChoice, conversation.tools, target) : undefined,
    parallel_tool_calls: hasTools ? parallelToolCalls : undefined,
    web_search_options: webSearchOut(conversation, target),
  })
}

/** Compatible vendors do not support limiting the choice to some of the tools: the others are not sent. */
function allowed(tools: readonly Tool[], choice: ToolChoice | undefined): readonly Tool[] {
  const names = choice?.names
  if (!names || isOne(choice)) return tools
  const isAllowed = new UntrustedSet(names)
  return tools.filter((tool) => tool.type === 'hosted' || isAllowed.has(tool.name))
}

const isOne = (choice: ToolChoice): boolean => choice.mode === 'required' && choice.names?.length === 1

function choiceOut(choice: ToolChoice, tools: readonly Tool[], target: RequestTarget): unknown {
  const { mode, names } = choice
  if (mode === 'none' || !names || (!isOne(choice) && !target.strictOpenai)) return mode
  const custom = new UntrustedSet(
    target.strictOpenai ? tools.flatMap((tool) => (tool.type === 'custom' ? tool.name : [])) : [],
  )
  const references = names.map((name) => reference(name, custom.has(name)))
  return isOne(choice) ? references[0] : { type: 'allowed_tools', allowed_tools: { mode, tools: references } }
}

const reference = (name: string, isCustom: boolean): Json =>
  isCustom ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }

/** Hosted tools other than the web search are not supported. */
function toolOut(tool: Tool, target: RequestTarget, schemas: SchemaWriting): readonly Json[] {
  if (tool.type === 'function') return [functionOut(tool, target, schemas)]
  if (tool.type === 'custom') {
    const { name, description, format } = tool
    if (target.strictOpenai)
      return [{ type: 'custom', custom: present({ name, description, format: grammarOut(format) }) }]
    return [functionOut(asFunction(tool), target, schemas)]
  }
  if (tool.type === 'hosted') {
    if (tool.kind !== 'web-search') target.drop(`tools.${tool.kind}`)
    return []
  }
  if (tool.of === 'openai') return [tool.value as Json] // only this dialect's decoder makes these, from objects
  target.drop(`tools.${tool.name}`)
  return []
}

function functionOut(tool: FunctionTool, target: RequestTarget, schemas: SchemaWriting): Json {
  const { name, description, strict, cache } = tool
  const parameters = tool.parameters && target.strictOpenai ? rootFolded(tool.parameters, schemas) : tool.parameters
  if (cache && !target.cacheMarks) target.drop('cache')
  const mark = target.cacheMarks ? cacheOut(cache) : {}
  return { type: 'function', function: present({ name, description, parameters, strict }), ...mark }
}

/**
 * Chat Completions can only express the context size and the user's location. Models without search refuse it; for
 * clients of other dialects, which expect search to work, it is reported instead.
 */
function webSearchOut({ tools, extras }: Conversation, target: RequestTarget): Json | undefined {
  const search = tools.find((tool): tool is HostedTool => tool.type === 'hosted' && tool.kind === 'web-search')
  if (!search) return undefined
  if (extras.from !== 'openai' && !target.cacheMarks && !SEARCHING.test(target.model)) {
    target.drop('tools.web-search')
    return undefined
  }
  if (search.maxUses !== undefined) target.drop('search.maxUses')
  if (search.allowedDomains) target.drop('search.allowedDomains')
  if (search.blockedDomains) target.drop('search.blockedDomains')
  const user_location = search.location && { type: 'approximate', approximate: search.location }
  return present({ search_context_size: search.contextSize, user_location })
}

const SEARCHING = /search|sonar/i
