import { objectIn, objectsIn, own, present, textIn } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { type Declared, functionsOf } from '../functions.ts'

const types: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  array: 'list',
  object: 'dict',
}

/** Writes `tools` of the first chat interface, which can neither require a call nor forbid parallel ones. */
export function toolsOut(conversation: Conversation, drop: RequestTarget['drop']): Json {
  const tools = functionsOf(conversation, drop)
  if (tools.length === 0) return {}
  if (conversation.toolChoice?.mode === 'required') drop('toolChoice')
  if (conversation.parallelToolCalls === false) drop('parallelToolCalls')
  return { tools: tools.map(toolOut) }
}

function toolOut({ name, description, parameters }: Declared): Json {
  const required = new UntrustedSet<unknown>(Array.isArray(parameters.required) ? parameters.required : [])
  const definitions = Object.entries(objectIn(parameters.properties)).map(([parameter, schema]) => [
    parameter,
    { ...definitionOut(objectIn(schema)), required: required.has(parameter) },
  ])
  return { name, description: description ?? name, parameter_definitions: Object.fromEntries(definitions) }
}

/** Writes a parameter by its type; a schema with more keywords is appended to its description. */
function definitionOut({ type, description, ...more }: Json): Json {
  const described = textIn(description)
  const schema = Object.keys(more).length > 0 ? `JSON schema: ${JSON.stringify(more)}` : undefined
  const text = [described, schema].filter((part) => part !== undefined).join('\n')
  return present({ type: own(types, textIn(type) ?? '') ?? 'str', description: text || undefined })
}

export type Called = Readonly<{ name: string; json: string }>

export const callsIn = (value: unknown): readonly Called[] =>
  objectsIn(value).flatMap(({ name, parameters }) =>
    typeof name === 'string' ? [{ name, json: JSON.stringify(parameters ?? {}) }] : [],
  )
