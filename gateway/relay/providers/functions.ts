import type { Conversation, FunctionTool, Tool } from '../formats/conversation.ts'
import { unsupportedField } from './vectors.ts'

/** What a custom tool becomes where only functions are known. */
const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
/** What a tool without parameters takes. */
const NOTHING = { type: 'object', properties: {} }

/** A function as vendors are told of it. */
export type Declared = Readonly<{ name: string; description?: string; parameters: Readonly<Record<string, unknown>> }>

/**
 * The tools that the caller runs, those alone that its choice allows; none where it chose none. Tools that the vendor would
 * have to run are reported.
 */
export function functionsOf({ tools, toolChoice }: Conversation, drop: (name: string) => void): readonly Declared[] {
  const names = toolChoice?.names && new Set(toolChoice.names)
  const offered = tools.flatMap((tool) => {
    const declared = functionOf(tool)
    if (!declared) drop(`tools.${tool.type === 'hosted' ? tool.kind : tool.name}`)
    else if (tool.type === 'function' && tool.strict) drop('strict')
    return declared && (!names || names.has(declared.name)) ? [declared] : []
  })
  return toolChoice?.mode === 'none' ? [] : offered
}

/** Refuses tools that the caller runs, of a vendor that knows none; what the vendor would have to run is reported. */
export function refuseFunctions(conversation: Conversation, vendor: string, drop: (name: string) => void): void {
  if (functionsOf(conversation, drop).length > 0) throw unsupportedField(vendor, 'tools')
}

function functionOf(tool: Tool): Declared | undefined {
  if (tool.type === 'custom') return { ...named(tool), parameters: FREE_TEXT }
  return tool.type === 'function' ? { ...named(tool), parameters: tool.parameters ?? NOTHING } : undefined
}

const named = ({ name, description }: Pick<FunctionTool, 'name' | 'description'>) =>
  description === undefined ? { name } : { name, description }
