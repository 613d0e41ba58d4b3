import { isObject, parsed, present } from '../../base/json/json.ts'
import type { CustomTool, FunctionTool } from './conversation.ts'

/** The parameters of a function that stands for a tool which takes free text. */
const PARAMETERS = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

/**
 * A tool that takes free text as a function with one text parameter. Its grammar, which only OpenAI holds the model to,
 * goes into the description for the model to read.
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

/** Free text as the arguments of such a function. */
export const wrapped = (text: string): string => JSON.stringify({ input: text })

/** The text in the arguments of such a function; arguments without it are given whole. */
export function unwrapped(json: string): string {
  const object = parsed(json)
  return isObject(object) && typeof object.input === 'string' ? object.input : json
}
