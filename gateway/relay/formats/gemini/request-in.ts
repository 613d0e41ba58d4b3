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

/** `includeServerSideToolInvocations` is set automatically (docs/reference/conversion.md#non-function-tools). */
const choosingMembers = ['functionCallingConfig', 'includeServerSideToolInvocations']

type GeminiRequest = Readonly<{ model: string; stream: boolean }>

/**
 * Reads a GenerateContentRequest. Members without a field, at the top or in its configurations, are stored as extras.
 */
export function decodeRequest(wire: Json, call: GeminiRequest, newCallId: () => string): Conversation {
  const request = messageIn(wire)
  const generation = messageIn(request.generationConfig)
  const { members, known } = generationIn(generation)
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
    ...members,
    ...call,
    turns: imageDetail ? detailedTurns(turns, imageDetail) : turns,
    ...(imageDetail && { imageDetail }),
    tools,
    ...(toolChoice && { toolChoice }),
    shared: {},
    extras: { from: 'gemini', fields },
  }
}

/**
 * Returns the members of `functionCallingConfig` that a choice expresses: `VALIDATED` without function names is more
 * than `auto`, except in combination with the vendor's own tools, where it is the only such mode.
 */
function choiceMembers(
  calling: JsonObject,
  choice: Conversation['toolChoice'],
  tools: Conversation['tools'],
): readonly string[] {
  const isMixed = tools.some(({ type }) => type === 'function') && tools.some(({ type }) => type === 'hosted')
  const isPlainValidated = calling.mode === 'VALIDATED' && choice?.names === undefined && !isMixed
  return isPlainValidated || !choice ? ['allowedFunctionNames'] : ['mode', 'allowedFunctionNames']
}
