import type { JsonObject } from '../../../base/json/json.ts'
import type { DialectSettings, Json, RequestTarget } from '../codec.ts'
import type { Conversation } from '../conversation.ts'
import { contentsOut, systemOut } from './contents-out.ts'
import { restore } from './extra-members.ts'
import { generationOut } from './generation-out.ts'
import { toolConfigOut, toolsOut } from './tools-out.ts'

/** Categories of the vendor's safety filters (docs/reference/conversion.md#openai-to-gemini). */
const safetyCategories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/**
 * Writes a GenerateContentRequest (docs/reference/conversion.md#openai-to-gemini). The model and whether to stream are
 * in the path of the call.
 */
export function encodeRequest(conversation: Conversation, target: RequestTarget): Json {
  const isOwn = conversation.extras.from === 'gemini'
  reportUnsupported(conversation, target)
  const system = systemOut(conversation, target)
  const tools = toolsOut(conversation, target)
  const toolConfig = toolConfigOut(conversation, tools, target)
  const generationConfig = generationOut(conversation, target)
  const safetySettings = isOwn ? [] : safetyOut(target.settings)
  const wire: JsonObject = {
    ...(system && { systemInstruction: system }),
    contents: contentsOut(conversation, target),
    ...(tools.length > 0 && { tools }),
    ...(toolConfig && { toolConfig }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...(safetySettings.length > 0 && { safetySettings }),
  }
  if (isOwn) restore(wire, conversation.extras.fields)
  return wire
}

/** Reports what the dialect cannot express; parallel calls, which it always allows, only if they are forbidden. */
function reportUnsupported(conversation: Conversation, target: RequestTarget): void {
  if (conversation.parallelToolCalls === false) target.drop('parallelToolCalls')
  if (conversation.user !== undefined) target.drop('user')
  if (conversation.cacheKey !== undefined) target.drop('cacheKey')
  for (const name of Object.keys(conversation.shared)) if (name !== 'store') target.drop(name)
  if (conversation.extras.from === 'gemini') return
  for (const name of Object.keys(conversation.extras.fields)) target.drop(name)
}

/** The operator's thresholds, for clients whose dialect has none. */
function safetyOut({ geminiSafety }: DialectSettings): readonly JsonObject[] {
  return safetyCategories.flatMap((category) => {
    const threshold = geminiSafety[category] ?? geminiSafety.default
    return threshold === undefined ? [] : [{ category, threshold }]
  })
}
