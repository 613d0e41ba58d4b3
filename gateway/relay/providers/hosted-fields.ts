import { isObject, type JsonObject, textIn } from '../../base/json/json.ts'
import { withoutBillingLine } from '../formats/anthropic/billing-line.ts'
import type { Json } from '../formats/codec.ts'
import { hostedBetas, hostedModel, type Platform } from './hosted-betas.ts'
import type { Members, Target } from './provider.ts'

/** Members of a request that no platform takes: each belongs to a beta, or a service, of Anthropic's own. */
const OWN_MEMBERS = ['mcp_servers', 'container', 'speed', 'inference_geo', 'diagnostics', 'fallbacks', 'safeguards']

/** Members of a tool by the beta they need; an empty one is of Anthropic's alone. */
const toolMembers: Readonly<Record<string, string>> = {
  defer_loading: 'tool-search-tool-2025-10-19',
  input_examples: 'tool-examples-2025-10-29',
  eager_input_streaming: '',
  allowed_callers: '',
}

/** Tools of Anthropic's by the beta they need. */
const toolTypes: readonly (readonly [RegExp, string])[] = [
  [/^tool_search_tool_/, 'tool-search-tool-2025-10-19'],
  [/^advisor_/, ''],
  [/^mcp_toolset$/, ''],
]

/**
 * The first version that needs no beta for `output_config.effort`, the first that Bedrock keeps a cache an hour for, that
 * answers by a schema, and that takes instructions between the messages on Bedrock.
 */
const EFFORT_SINCE = 406
const HOURS_SINCE = 405
const STRUCTURED_SINCE = 405
const INSTRUCTED_SINCE = 408

/** What a platform takes of one request, and where what is lost is told. */
type Cleaning = Readonly<{
  has: (beta: string) => boolean
  /** Marks may ask for a cache of an hour. */
  keepsHours: boolean
  /** Messages may be the system's. */
  isInstructed: boolean
  drop: (name: string) => void
}>

const UNCHANGED: Members = new Map()

/**
 * Members of a Messages request that a platform would refuse because their beta does not go along
 * (docs/reference/channel-types.md#betas). Each is told once.
 */
export function hostedEdits(json: Json, target: Target, platform: Platform, drop: (name: string) => void): Members {
  if (target.endpoint !== 'messages') return UNCHANGED
  const taken = hostedBetas(target, platform)
  const { version } = hostedModel(target)
  const told = new Set<string>()
  const cleaning: Cleaning = {
    has: (beta) => taken.includes(beta),
    keepsHours: platform !== 'bedrock' || version >= HOURS_SINCE,
    isInstructed: platform === 'bedrock' && version >= INSTRUCTED_SINCE,
    drop: (name) => void told.add(name),
  }
  const edits = new Map<string, unknown>()
  const change = (name: string, value: unknown): void => {
    if (value !== json[name]) edits.set(name, value)
  }
  for (const name of OWN_MEMBERS) {
    change(name, undefined)
    if (json[name] != null) told.add(name)
  }
  change('context_management', contextEdits(json.context_management, cleaning))
  change('thinking', shownThinking(json.thinking, cleaning))
  change('output_config', outputConfig(json, version, cleaning))
  change('output_format', undefined)
  change('tools', withTools(json.tools, cleaning))
  change('system', eachBlock(withoutBillingLine(json.system), cleaning))
  change('messages', withMessages(json, cleaning))
  change('cache_control', undefined)
  for (const name of told) drop(name)
  return edits
}

/** Thoughts that are to be told as short updates are summarized where that beta does not go along. */
function shownThinking(thinking: unknown, { has, drop }: Cleaning): unknown {
  if (!isObject(thinking) || thinking.display !== 'updates' || has('thinking-display-updates-2026-08-18'))
    return thinking
  drop('thinking.display')
  return { ...thinking, display: 'summarized' }
}

/** The edits of the context whose beta goes along; compaction has one of its own. */
function contextEdits(value: unknown, { has, drop }: Cleaning): unknown {
  if (!isObject(value) || !Array.isArray(value.edits)) return value
  const kept = value.edits.filter((edit: unknown) =>
    has(
      isObject(edit) && textIn(edit.type)?.startsWith('compact_')
        ? 'compact-2026-01-12'
        : 'context-management-2025-06-27',
    ),
  )
  if (kept.length === value.edits.length) return value
  drop('context_management')
  return kept.length > 0 ? { ...value, edits: kept } : undefined
}

/** What is said of the output; its schema was once a member of the request itself, and of a beta. */
function outputConfig(
  { output_config: said, output_format: format }: Json,
  version: number,
  cleaning: Cleaning,
): unknown {
  const { has, drop } = cleaning
  const hasPlace = isObject(format) && version >= STRUCTURED_SINCE
  if (format != null && !hasPlace) drop('output_format')
  const value = hasPlace ? { format, ...(isObject(said) ? said : {}) } : said
  if (!isObject(value)) return value
  const lost = ['task_budget', ...(version >= EFFORT_SINCE || has('effort-2025-11-24') ? [] : ['effort'])]
  const kept = without(value, lost, (name) => drop(`output_config.${name}`))
  return kept !== value && Object.keys(kept).length === 0 ? undefined : kept
}

/** Without the tools and members whose beta is gone. A tool that was to be found by a search is there from the start. */
function withTools(value: unknown, cleaning: Cleaning): unknown {
  const { has, drop } = cleaning
  const lost = Object.keys(toolMembers).filter((name) => !has(toolMembers[name] ?? ''))
  const kept = each(value, (tool) => {
    const type = textIn(tool.type) ?? ''
    if (toolTypes.some(([pattern, beta]) => pattern.test(type) && !has(beta))) return void drop(`tools.${type}`)
    return withMark(without(tool, lost, drop), cleaning)
  })
  return Array.isArray(kept) && kept.length === 0 ? undefined : kept
}

/**
 * The messages; a mark of the whole request, which platforms do not know, stands on the last block instead. What the
 * system says between them to a model that does not know this, the user says: it means something where it stands.
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
 * A block as platforms know it. That the model itself was the caller of a tool goes without saying, and what a search has
 * found is told by its name where the search is gone: the tool is there.
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

/** A cache mark without its scope, and without its time where the model's caches have but one. */
function withMark(owner: JsonObject, { keepsHours, drop }: Cleaning): JsonObject {
  const mark = owner.cache_control
  if (!isObject(mark)) return owner
  const kept = without(mark, keepsHours ? ['scope'] : ['scope', 'ttl'], (name) => drop(`cache_control.${name}`))
  return kept === mark ? owner : { ...owner, cache_control: kept }
}

/** Every object of a list changed, undefined leaving it out; the same list where none is otherwise. */
function each(list: unknown, change: (item: JsonObject) => JsonObject | undefined): unknown {
  if (!Array.isArray(list)) return list
  const changed = list.map((item: unknown) => (isObject(item) ? change(item) : item))
  return changed.some((item, index) => item !== list[index]) ? changed.filter((item) => item !== undefined) : list
}

/** An object without some members; the same one where it has none of them. `drop` is told of each. */
function without(object: JsonObject, names: readonly string[], drop: (name: string) => void): JsonObject {
  const lost = names.filter((name) => object[name] !== undefined)
  if (lost.length === 0) return object
  for (const name of lost) drop(name)
  return Object.fromEntries(Object.entries(object).filter(([name]) => !lost.includes(name)))
}
