import { UntrustedSet } from '../../base/untrusted-keys.ts'
import type { Conversation, FunctionTool, Tool } from '../formats/conversation.ts'
import { unsupportedField } from './vectors.ts'

const FREE_TEXT = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
const NOTHING = { type: 'object', properties: {} }

export type Declared = Readonly<{
  name: string
  description?: string
  parameters: Readonly<Record<string, unknown>>
}>

/**
 * Returns the client-run tools that the tool choice allows; empty if it is `none`. Reports tools that the client does
 * not run, and `strict`.
 */
export function functionsOf({ tools, toolChoice }: Conversation, drop: (name: string) => void): readonly Declared[] {
  const names = toolChoice?.names && new UntrustedSet(toolChoice.names)
  const offered = tools.flatMap((tool) => {
    const declared = functionOf(tool)
    if (!declared) drop(`tools.${tool.type === 'hosted' ? tool.kind : tool.name}`)
    else if (tool.type === 'function' && tool.strict) drop('strict')
    return declared && (!names || names.has(declared.name)) ? [declared] : []
  })
  return toolChoice?.mode === 'none' ? [] : offered
}

/** Throws for client-run tools that the tool choice allows, since the vendor supports none; reports other tools. */
export function refuseFunctions(conversation: Conversation, vendor: string, drop: (name: string) => void): void {
  if (functionsOf(conversation, drop).length > 0) throw unsupportedField(vendor, 'tools')
}

function functionOf(tool: Tool): Declared | undefined {
  if (tool.type === 'custom') return { ...named(tool), parameters: FREE_TEXT }
  return tool.type === 'function' ? { ...named(tool), parameters: tool.parameters ?? NOTHING } : undefined
}

const named = ({ name, description }: Pick<FunctionTool, 'name' | 'description'>) =>
  description === undefined ? { name } : { name, description }
