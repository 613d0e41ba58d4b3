import { flagIn, isObject, objectIn, present, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { cacheIn } from './fields.ts'
import { grammarIn } from './grammar.ts'

export function toolsIn(wire: Json): readonly Tool[] {
  return [
    ...listIn(wire, 'tools').map(toolIn),
    ...listIn(wire, 'functions').map((value) => functionIn(value, {})),
    ...(isObject(wire.web_search_options) ? [webSearchIn(wire.web_search_options)] : []),
  ]
}

export function toolChoiceIn(wire: Json): ToolChoice | undefined {
  const choice = wire.tool_choice ?? undefined
  const old = wire.function_call ?? undefined
  if (choice === undefined)
    return old === undefined ? undefined : (modeIn(old) ?? oneOf(objectIn(old).name, 'function_call'))
  const mode = modeIn(choice)
  if (mode) return mode
  if (!isObject(choice)) throw malformed('tool_choice')
  if (choice.type === 'allowed_tools') return allowedIn(objectIn(choice.allowed_tools))
  return oneOf(nameIn(choice), 'tool_choice')
}

const MODES = ['auto', 'none', 'required'] as const

function modeIn(value: unknown): ToolChoice | undefined {
  const mode = MODES.find((known) => known === value)
  return mode && { mode }
}

const nameIn = (value: Json): unknown => objectIn(value.function ?? value.custom).name

function oneOf(name: unknown, field: string): ToolChoice {
  if (typeof name !== 'string') throw malformed(field)
  return { mode: 'required', names: [name] }
}

function allowedIn(allowed: Json): ToolChoice {
  const names = listIn(allowed, 'tools').map((tool) => nameIn(objectIn(tool)))
  if (!names.every((name) => typeof name === 'string')) throw malformed('tool_choice.allowed_tools.tools')
  return { mode: allowed.mode === 'required' ? 'required' : 'auto', names }
}

function listIn(wire: Json, field: string): readonly unknown[] {
  const value = wire[field] ?? []
  if (!Array.isArray(value)) throw malformed(field)
  return value
}

function toolIn(value: unknown): Tool {
  if (!isObject(value)) throw malformed('tools')
  if (value.type === 'custom' && isObject(value.custom)) return customIn(value.custom)
  if (value.type === 'function' || isObject(value.function)) return functionIn(value.function, value)
  const name = textIn(value.type)
  if (!name) throw malformed('tools.type')
  return { type: 'extra', of: 'openai', name, value }
}

/** Clients put a cache mark next to the function or within it. */
function functionIn(value: unknown, outer: Json): Tool {
  const { name, description, parameters, strict, cache_control } = objectIn(value)
  if (typeof name !== 'string' || name === '') throw malformed('tools.function.name')
  if (parameters !== undefined && parameters !== null && !isObject(parameters))
    throw malformed('tools.function.parameters')
  return {
    type: 'function',
    name,
    ...present({ description: textIn(description), parameters: parameters ?? undefined, strict: flagIn(strict) }),
    ...cacheIn(outer.cache_control ?? cache_control),
  }
}

function customIn(custom: Json): Tool {
  const name = textIn(custom.name)
  if (!name) throw malformed('tools.custom.name')
  return {
    type: 'custom',
    name,
    ...present({ description: textIn(custom.description), format: grammarIn(custom.format) }),
  }
}

const SIZES = ['low', 'medium', 'high'] as const

function webSearchIn(options: Json): HostedTool {
  const { approximate } = objectIn(options.user_location)
  const contextSize = SIZES.find((size) => size === options.search_context_size)
  return {
    type: 'hosted',
    kind: 'web-search',
    ...(contextSize ? { contextSize } : {}),
    ...(isObject(approximate) ? { location: textsOf(approximate) } : {}),
  }
}

const textsOf = (members: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
