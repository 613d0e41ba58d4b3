import type { JsonObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { Conversation } from '../conversation.ts'
import { systemIn, turnsIn } from './contents-in.ts'
import { unknownMembers } from './extra-members.ts'
import { generationIn } from './generation-in.ts'
import { messageIn } from './message.ts'
import { detailedTurns, imageDetailIn } from './resolution.ts'
import { toolChoiceIn, toolsIn } from './tools-in.ts'

const topMembers = ['model', 'stream', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig']

/** The word for tools beside functions goes without saying (docs/reference/conversion.md#tools-beside-functions). */
const choosingMembers = ['functionCallingConfig', 'includeServerSideToolInvocations']

/** What a request is called by in the path of the call. */
type GeminiRequest = Readonly<{ model: string; stream: boolean }>

/** Reads a GenerateContentRequest. What it says that no field is for, at the top or in its configurations, is kept as an extra. */
export function decodeRequest(wire: Json, asked: GeminiRequest, newCallId: () => string): Conversation {
  const request = messageIn(wire)
  const generation = messageIn(request.generationConfig)
  const { said, known } = generationIn(generation)
  const choosing = messageIn(request.toolConfig)
  const calling = messageIn(choosing.functionCallingConfig)
  const toolChoice = toolChoiceIn(calling)
  const tools = toolsIn(request.tools)
  const system = systemIn(request.systemInstruction)
  const turns = [...(system ? [system] : []), ...turnsIn(request.contents, newCallId)]
  const imageDetail = imageDetailIn(generation.mediaResolution, turns)
  const fields: JsonObject = {
    ...unknownMembers(request, topMembers),
    ...unknownMembers(generation, [...known, ...(imageDetail ? ['mediaResolution'] : [])], 'generationConfig'),
    ...unknownMembers(choosing, choosingMembers, 'toolConfig'),
    ...unknownMembers(calling, choiceMembers(calling, toolChoice, tools), 'toolConfig.functionCallingConfig'),
  }
  return {
    ...said,
    ...asked,
    turns: imageDetail ? detailedTurns(turns, imageDetail) : turns,
    ...(imageDetail && { imageDetail }),
    tools,
    ...(toolChoice && { toolChoice }),
    shared: {},
    extras: { from: 'gemini', fields },
  }
}

/**
 * Members of `functionCallingConfig` a choice speaks for: a validated one that names no functions says more than `auto`,
 * but beside the vendor's own tools, where it is the one there is.
 */
function choiceMembers(
  calling: JsonObject,
  choice: Conversation['toolChoice'],
  tools: Conversation['tools'],
): readonly string[] {
  const isMixed = tools.some(({ type }) => type === 'function') && tools.some(({ type }) => type === 'hosted')
  const isOpenValidated = calling.mode === 'VALIDATED' && choice?.names === undefined && !isMixed
  return isOpenValidated || !choice ? ['allowedFunctionNames'] : ['mode', 'allowedFunctionNames']
}
