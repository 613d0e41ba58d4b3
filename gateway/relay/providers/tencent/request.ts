import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { functionsOf } from '../functions.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'
import { messagesOut, VENDOR } from './messages.ts'

/**
 * Writes a request of Hunyuan's `ChatCompletions` (docs/reference/channel-types.md#tencent-hunyuan; API reference of
 * 2023-09-01).
 */
export function encodeRequest(conversation: Conversation, target: RequestTarget): Json {
  const { temperature, topP, seed, stop, stream } = conversation
  const own = ownMembers(conversation, FIELDS, target.drop)
  return present({
    ...own,
    Model: target.model,
    Messages: messagesOut(conversation, target),
    Stream: stream,
    TopP: topP,
    Temperature: temperature,
    Seed: seed,
    Stop: stop,
    EnableThinking: thinkingOut(conversation, target.drop) ?? own.EnableThinking,
    ...toolsOut(conversation, target.drop),
  })
}

const FIELDS: VendorFields = {
  vendor: VENDOR,
  fields: ['temperature', 'topP', 'seed', 'stop', 'reasoning'],
  own: [
    'StreamModeration',
    'EnableEnhancement',
    'ForceSearchEnhancement',
    'EnableSpeedSearch',
    'EnableDeepSearch',
    'EnableDeepRead',
    'EnableMultimedia',
    'EnableRecommendedQuestions',
    'EnableThinking',
    'SearchInfo',
    'Citation',
    'TopicChoice',
    'WebSearchOptions',
  ],
}

/** The vendor can only enable or disable thinking, not set its amount. */
function thinkingOut({ reasoning }: Conversation, drop: RequestTarget['drop']): boolean | undefined {
  if (!reasoning) return undefined
  if (reasoning.mode === 'off' || reasoning.effort === 'none') return false
  if (reasoning.effort !== undefined || (reasoning.budget ?? -1) !== -1) drop('reasoning')
  return true
}

/** Writes functions, with parameters as text; a call can only be required of a single one, repeated as `CustomTool`. */
function toolsOut(conversation: Conversation, drop: RequestTarget['drop']): Json {
  const tools = functionsOf(conversation, drop).map(({ name, description, parameters }) => ({
    Type: 'function',
    Function: present({ Name: name, Description: description, Parameters: JSON.stringify(parameters) }),
  }))
  const { toolChoice: choice, parallelToolCalls } = conversation
  if (tools.length === 0) return {}
  if (parallelToolCalls === false) drop('parallelToolCalls')
  if (choice?.mode === 'required' && tools.length === 1)
    return { Tools: tools, ToolChoice: 'custom', CustomTool: tools[0] }
  if (choice?.mode === 'required') drop('toolChoice')
  return present({ Tools: tools, ToolChoice: choice?.mode === 'auto' ? 'auto' : undefined })
}
