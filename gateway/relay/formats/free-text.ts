import { isObject, parsed, present } from '../../base/json/json.ts'
import type { CustomTool, FunctionTool } from './conversation.ts'

const PARAMETERS = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

/**
 * Converts a free-text tool to a function with one text parameter. The grammar, which only OpenAI enforces, goes into
 * the description.
 */
export function asFunction({ type: _, format, ...tool }: CustomTool): FunctionTool {
  return {
    ...tool,
    ...present({ description: described(tool.description, format) }),
    type: 'function',
    parameters: PARAMETERS,
  }
}

function described(description: string | undefined, format: CustomTool['format']): string | undefined {
  if (format?.type !== 'grammar' || typeof format.definition !== 'string') return description
  const syntax = typeof format.syntax === 'string' ? `${format.syntax} grammar` : 'grammar'
  const rule = `The parameter "input" is free text that must follow this ${syntax}:\n${format.definition}`
  return description ? `${description}\n\n${rule}` : rule
}

export const wrapped = (text: string): string => JSON.stringify({ input: text })

/** Returns the free text in a function's arguments, or the arguments unchanged if they have no text. */
export function unwrapped(json: string): string {
  const object = parsed(json)
  return isObject(object) && typeof object.input === 'string' ? object.input : json
}
