import { isObject, type JsonObject, own, textIn } from '../../../base/json/json.ts'
import type { FunctionTool, HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { messageIn, messagesIn, textsOf } from './message.ts'
import { schemaIn } from './schema-in.ts'

const hosted: Readonly<Record<string, HostedTool['kind']>> = {
  googleSearch: 'web-search',
  codeExecution: 'code-execution',
  urlContext: 'url-context',
}
const declared = ['name', 'description', 'parameters', 'parametersJsonSchema']

export const DECLARATION = 'functionDeclarations'

/** An entry of `tools` may declare functions and name several of the vendor's own tools. */
export const toolsIn = (value: unknown): readonly Tool[] =>
  messagesIn(value).flatMap((entry) =>
    Object.entries(entry).flatMap(([name, member]) =>
      name === DECLARATION ? messagesIn(member).flatMap(declarationIn) : [ownToolIn(name, member)],
    ),
  )

export function toolChoiceIn(config: JsonObject): ToolChoice | undefined {
  const names = textsOf(config.allowedFunctionNames, 'toolConfig.functionCallingConfig.allowedFunctionNames')
  const only = names && names.length > 0 ? { names } : {}
  const mode = textIn(config.mode)?.toUpperCase()
  if (mode === 'ANY') return { mode: 'required', ...only }
  if (mode === 'NONE') return { mode: 'none' }
  return mode === 'AUTO' || mode === 'VALIDATED' ? { mode: 'auto', ...only } : undefined
}

function declarationIn(wire: JsonObject): readonly Tool[] {
  const name = textIn(wire.name)
  if (name === undefined) throw malformed('tools.functionDeclarations.name')
  const description = textIn(wire.description)
  const parameters = parametersIn(wire)
  const tool: FunctionTool = {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { parameters }),
  }
  const others = Object.entries(wire).filter(([member]) => !declared.includes(member))
  if (others.length === 0) return [tool]
  return [tool, { type: 'extra', of: 'gemini', name: DECLARATION, value: { name, ...Object.fromEntries(others) } }]
}

function parametersIn(wire: JsonObject): JsonObject | undefined {
  if (isObject(wire.parametersJsonSchema)) return wire.parametersJsonSchema
  return isObject(wire.parameters) ? schemaIn(wire.parameters) : undefined
}

function ownToolIn(name: string, member: unknown): Tool {
  const kind = own(hosted, name)
  const { excludeDomains, ...others } = messageIn(member)
  if (kind === undefined || Object.keys(others).length > 0)
    return { type: 'extra', of: 'gemini', name, value: { [name]: member } }
  const blockedDomains = textsOf(excludeDomains, 'tools.googleSearch.excludeDomains')
  return { type: 'hosted', kind, ...(blockedDomains && { blockedDomains }) }
}
