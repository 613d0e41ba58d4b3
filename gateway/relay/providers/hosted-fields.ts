import { isObject, type JsonObject, textIn } from '../../base/json/json.ts'
import { withoutBillingLine } from '../formats/anthropic/billing-line.ts'
import type { Json } from '../formats/codec.ts'
import { hostedBetas, hostedModel, type Platform } from './hosted-betas.ts'
import type { Members, Target } from './provider.ts'

/** Members that no platform supports: each belongs to a beta or a service of Anthropic's own. */
const OWN_MEMBERS = ['mcp_servers', 'container', 'speed', 'inference_geo', 'diagnostics', 'fallbacks', 'safeguards']

/** The beta that a member of a tool requires; empty if only Anthropic supports the member. */
const toolMembers: Readonly<Record<string, string>> = {
  defer_loading: 'tool-search-tool-2025-10-19',
  input_examples: 'tool-examples-2025-10-29',
  eager_input_streaming: '',
  allowed_callers: '',
}

const toolTypes: readonly (readonly [RegExp, string])[] = [
  [/^tool_search_tool_/, 'tool-search-tool-2025-10-19'],
  [/^advisor_/, ''],
  [/^mcp_toolset$/, ''],
]

/**
 * The first Claude versions with: `output_config.effort` without a beta, one-hour caches on Bedrock, structured
 * outputs, and system messages between other messages on Bedrock.
 */
const EFFORT_SINCE = 406
const LONG_CACHE_SINCE = 405
const STRUCTURED_SINCE = 405
const SYSTEM_MESSAGES_SINCE = 408

/** What a platform supports for one request, and where losses are reported. */
type Cleaning = Readonly<{
  has: (beta: string) => boolean
  keepsHours: boolean
  isInstructed: boolean
  drop: (name: string) => void
}>

const UNCHANGED: Members = new Map()

/**
 * Returns edits of members that a platform would refuse without their beta (docs/reference/channel-types.md#betas).
 * Losses are reported, each once.
 */
export function hostedEdits(json: Json, target: Target, platform: Platform, drop: (name: string) => void): Members {
  if (target.endpoint !== 'messages') return UNCHANGED
  const taken = hostedBetas(target, platform)
  const { version } = hostedModel(target)
  const reported = new Set<string>()
  const cleaning: Cleaning = {
    has: (beta) => taken.includes(beta),
    keepsHours: platform !== 'bedrock' || version >= LONG_CACHE_SINCE,
    isInstructed: platform === 'bedrock' && version >= SYSTEM_MESSAGES_SINCE,
    drop: (name) => void reported.add(name),
  }
  const edits = new Map<string, unknown>()
  const change = (name: string, value: unknown): void => {
    if (value !== json[name]) edits.set(name, value)
  }
  for (const name of OWN_MEMBERS) {
    change(name, undefined)
    if (json[name] != null) reported.add(name)
  }
  change('context_management', contextEdits(json.context_management, cleaning))
  change('thinking', shownThinking(json.thinking, cleaning))
  change('output_config', outputConfig(json, version, cleaning))
  change('output_format', undefined)
  change('tools', withTools(json.tools, cleaning))
  change('system', eachBlock(withoutBillingLine(json.system), cleaning))
  change('messages', withMessages(json, cleaning))
  change('cache_control', undefined)
  for (const name of reported) drop(name)
  return edits
}

function shownThinking(thinking: unknown, { has, drop }: Cleaning): unknown {
  if (!isObject(thinking) || thinking.display !== 'updates' || has('thinking-display-updates-2026-08-18'))
    return thinking
  drop('thinking.display')
  return { ...thinking, display: 'summarized' }
}

function contextEdits(value: unknown, { has, drop }: Cleaning): unknown {
  if (!isObject(value) || !Array.isArray(value.edits)) return value
  const supported = value.edits.filter((edit: unknown) =>
    has(
      isObject(edit) && textIn(edit.type)?.startsWith('compact_')
        ? 'compact-2026-01-12'
        : 'context-management-2025-06-27',
    ),
  )
  if (supported.length === value.edits.length) return value
  drop('context_management')
  return supported.length > 0 ? { ...value, edits: supported } : undefined
}

/** Returns the output configuration; its schema was once a beta member of the request itself. */
function outputConfig(
  { output_config: config, output_format: format }: Json,
  version: number,
  cleaning: Cleaning,
): unknown {
  const { has, drop } = cleaning
  const isSupported = isObject(format) && version >= STRUCTURED_SINCE
  if (format != null && !isSupported) drop('output_format')
  const value = isSupported ? { format, ...(isObject(config) ? config : {}) } : config
  if (!isObject(value)) return value
  const lost = ['task_budget', ...(version >= EFFORT_SINCE || has('effort-2025-11-24') ? [] : ['effort'])]
  const supported = without(value, lost, (name) => drop(`output_config.${name}`))
  return supported !== value && Object.keys(supported).length === 0 ? undefined : supported
}

/**
 * Removes tools and members whose beta is not sent. Tools that a search would have found are then available from the
 * start.
 */
function withTools(value: unknown, cleaning: Cleaning): unknown {
  const { has, drop } = cleaning
  const lost = Object.keys(toolMembers).filter((name) => !has(toolMembers[name] ?? ''))
  const supported = each(value, (tool) => {
    const type = textIn(tool.type) ?? ''
    if (toolTypes.some(([pattern, beta]) => pattern.test(type) && !has(beta))) return void drop(`tools.${type}`)
    return withMark(without(tool, lost, drop), cleaning)
  })
  return Array.isArray(supported) && supported.length === 0 ? undefined : supported
}

/**
 * Cleans the messages. Moves a mark of the whole request, which platforms do not support, to the last block. System
 * messages become user messages for models that do not accept them, since their position matters.
 */
function withMessages({ messages, cache_control: mark }: Json, cleaning: Cleaning): unknown {
  const cleaned = each(messages, (message) => {
    const content = eachBlock(message.content, cleaning)
    const isRefused = message.role === 'system' && !cleaning.isInstructed
    if (isRefused) return { ...message, role: 'user', content }
    return content === message.content ? message : { ...message, content }
  })
  const last: unknown = Array.isArray(cleaned) ? cleaned.at(-1) : undefined
  if (!isObject(mark) || !Array.isArray(cleaned) || !isObject(last)) return cleaned
  const { content } = last
  const blocks: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)
  const end = blocks.at(-1)
  if (!isObject(end) || end.cache_control) return cleaned
  const marked = blocks.with(-1, withMark({ ...end, cache_control: mark }, cleaning))
  return cleaned.with(-1, { ...last, content: marked })
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const eachBlock = (content: unknown, cleaning: Cleaning): unknown =>
  each(content, (block) => withMark(blockOf(block, cleaning), cleaning))

/**
 * Removes a `direct` caller of a tool, the default, and turns the result of a tool search into the name of the tool
 * found if tool searches are not supported.
 */
function blockOf(block: JsonObject, cleaning: Cleaning): JsonObject {
  if (block.type === 'tool_use' && isObject(block.caller) && block.caller.type === 'direct')
    return without(block, ['caller'], () => undefined)
  if (block.type === 'tool_reference' && !cleaning.has('tool-search-tool-2025-10-19'))
    return { type: 'text', text: textIn(block.tool_name) ?? '' }
  if (block.type !== 'tool_result') return block
  const content = eachBlock(block.content, cleaning)
  return content === block.content ? block : { ...block, content }
}

/** Removes the scope of a cache mark, and its lifetime if the model's caches have only one. */
function withMark(owner: JsonObject, { keepsHours, drop }: Cleaning): JsonObject {
  const mark = owner.cache_control
  if (!isObject(mark)) return owner
  const supported = without(mark, keepsHours ? ['scope'] : ['scope', 'ttl'], (name) => drop(`cache_control.${name}`))
  return supported === mark ? owner : { ...owner, cache_control: supported }
}

/**
 * Applies `change` to every object of a list, leaving out objects for which it returns undefined; returns the same list
 * if nothing changed.
 */
function each(list: unknown, change: (item: JsonObject) => JsonObject | undefined): unknown {
  if (!Array.isArray(list)) return list
  const changed = list.map((item: unknown) => (isObject(item) ? change(item) : item))
  return changed.some((item, index) => item !== list[index]) ? changed.filter((item) => item !== undefined) : list
}

/** Removes members of an object; returns the same object if it has none of them. Each is passed to `drop`. */
function without(object: JsonObject, names: readonly string[], drop: (name: string) => void): JsonObject {
  const lost = names.filter((name) => object[name] !== undefined)
  if (lost.length === 0) return object
  for (const name of lost) drop(name)
  return Object.fromEntries(Object.entries(object).filter(([name]) => !lost.includes(name)))
}
