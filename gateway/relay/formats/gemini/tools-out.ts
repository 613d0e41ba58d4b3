import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { mixesTools } from '../../capabilities/gemini-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, ExtraTool, FunctionTool, HostedTool, Tool, ToolChoice } from '../conversation.ts'
import { asFunction } from '../free-text.ts'
import { parametersOf, type SchemaWriting, schemaWriting } from '../schema-budget.ts'
import { parametersOut } from './schema-out.ts'
import { DECLARATION } from './tools-in.ts'

const hostedNames = {
  'web-search': 'googleSearch',
  'code-execution': 'codeExecution',
  'url-context': 'urlContext',
} as const satisfies Record<HostedTool['kind'], string>

/** Functions whose name refers to a tool of the vendor (docs/reference/conversion.md#openai-to-gemini). */
const ownNames: readonly string[] = Object.values(hostedNames)

/**
 * Writes `tools`: all functions in one entry at the position of the first, each of the vendor's own tools in its own
 * entry. If the model refuses both and the client uses another dialect, the vendor's own tools are left out and
 * reported (docs/reference/conversion.md#non-function-tools).
 */
export function toolsOut({ tools, extras }: Conversation, target: RequestTarget): readonly JsonObject[] {
  const isOwn = extras.from === 'gemini'
  const takesHosted = isOwn || mixesTools(target.model) || !tools.some(isDeclared)
  const schemas = schemaWriting('toolSchema', parametersOf(tools), target.drop)
  const declarations: JsonObject[] = []
  const entries: JsonObject[] = []
  const declare = (declaration: JsonObject) => {
    if (declarations.length === 0) entries.push({ functionDeclarations: declarations })
    declarations.push(declaration)
  }
  for (const tool of tools) {
    if (tool.type === 'extra') entries.push(...extraOut(tool, declarations, target))
    else if (tool.type === 'custom') declare(functionOut(asFunction(tool), target, schemas))
    else if (tool.type === 'function' && isDeclared(tool)) declare(functionOut(tool, target, schemas))
    else if (!takesHosted) target.drop(`tools.${tool.type === 'hosted' ? tool.kind : tool.name}`)
    else entries.push(tool.type === 'hosted' ? hostedOut(tool, target, isOwn) : { [tool.name]: {} })
  }
  return entries
}

const isDeclared = (tool: Tool): boolean =>
  tool.type === 'custom' || (tool.type === 'function' && !ownNames.includes(tool.name))

/** Writes `toolConfig`; undefined without functions to call, or if it would be empty. */
export function toolConfigOut(
  { toolChoice }: Conversation,
  entries: readonly JsonObject[],
  target: RequestTarget,
): JsonObject | undefined {
  const functions = entries.filter((entry) => entry.functionDeclarations !== undefined)
  if (functions.length === 0) {
    if (toolChoice?.mode === 'required') target.drop('toolChoice')
    return undefined
  }
  const isMixed = entries.length > functions.length && mixesTools(target.model)
  const config = {
    ...(toolChoice && { functionCallingConfig: choiceOut(toolChoice, isMixed) }),
    ...(isMixed && { includeServerSideToolInvocations: true }),
  }
  return Object.keys(config).length > 0 ? config : undefined
}

/**
 * `AUTO` is not available with the vendor's own tools; `VALIDATED` is equally unrestricted, and checks the arguments.
 */
function choiceOut({ mode, names: given }: ToolChoice, isMixed: boolean): JsonObject {
  if (mode === 'none') return { mode: 'NONE' }
  const names = given?.filter((name) => !ownNames.includes(name)) ?? []
  const only = names.length > 0 ? { allowedFunctionNames: names } : {}
  if (mode === 'required') return { mode: 'ANY', ...only }
  return { mode: isMixed || names.length > 0 ? 'VALIDATED' : 'AUTO', ...only }
}

function functionOut(tool: FunctionTool, target: RequestTarget, schemas: SchemaWriting): JsonObject {
  if (tool.strict) target.drop('strict')
  if (tool.cache) target.drop('cache')
  return {
    name: tool.name,
    ...(tool.description !== undefined && { description: tool.description }),
    ...parametersOut(tool.parameters, target.model, schemas),
  }
}

function hostedOut(tool: HostedTool, target: RequestTarget, isOwn: boolean): JsonObject {
  if (tool.contextSize !== undefined) target.drop('search.contextSize')
  if (tool.maxUses !== undefined) target.drop('search.maxUses')
  if (tool.allowedDomains !== undefined) target.drop('search.allowedDomains')
  if (tool.location !== undefined) target.drop('search.location')
  if (tool.blockedDomains !== undefined && !isOwn) target.drop('search.blockedDomains')
  const excludeDomains = isOwn ? tool.blockedDomains : undefined
  return { [hostedNames[tool.kind]]: excludeDomains ? { excludeDomains } : {} }
}

function extraOut(tool: ExtraTool, declarations: readonly JsonObject[], target: RequestTarget): readonly JsonObject[] {
  if (tool.of !== 'gemini' || !isObject(tool.value)) {
    target.drop(`tools.${tool.name}`)
    return []
  }
  if (tool.name !== DECLARATION) return [tool.value]
  const { name, ...members } = tool.value
  const declaration = declarations.at(-1)
  if (declaration && declaration.name === name) Object.assign(declaration, members)
  else for (const member in members) target.drop(`tools.${DECLARATION}.${member}`)
  return []
}
