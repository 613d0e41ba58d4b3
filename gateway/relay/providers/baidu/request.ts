import { present } from '../../../base/json/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { functionsOf } from '../functions.ts'
import { ownMembers, type VendorFields } from '../vendor-fields.ts'
import { messagesOut, VENDOR } from './messages.ts'

const MIN_OUTPUT = 2

/**
 * Writes a chat request of Qianfan's first interface (docs/reference/channel-types.md#baidu-qianfan-first-interface);
 * the model is in the path.
 */
export function encodeRequest(conversation: Conversation, target: RequestTarget): Json {
  const { drop } = target
  const { temperature, topP, maxOutput, stop, user, stream, output } = conversation
  const own = ownMembers(conversation, FIELDS, drop)
  const functions = functionsOf(conversation, drop)
  if (conversation.parallelToolCalls === true && functions.length > 0) drop('parallelToolCalls')
  if (output?.type === 'schema') drop('output')
  return present({
    ...own,
    ...messagesOut(conversation, target),
    functions: functions.length > 0 ? functions : undefined,
    tool_choice: functions.length > 0 ? choiceOut(conversation, drop) : undefined,
    temperature,
    top_p: topP,
    penalty_score: penaltyOut(conversation, drop) ?? own.penalty_score,
    stop,
    max_output_tokens: maxOutput === undefined ? undefined : Math.max(maxOutput, MIN_OUTPUT),
    response_format: output ? 'json_object' : undefined,
    user_id: user,
    stream: stream ? true : undefined,
  })
}

const FIELDS: VendorFields = {
  vendor: VENDOR,
  fields: ['temperature', 'topP', 'frequencyPenalty', 'maxOutput', 'stop', 'user', 'output'],
  own: ['penalty_score', 'disable_search', 'enable_citation', 'enable_trace'],
}

/** The vendor's penalty ranges from 1, which is none, to 2. */
function penaltyOut({ frequencyPenalty: penalty }: Conversation, drop: RequestTarget['drop']): number | undefined {
  if (penalty === undefined || (penalty >= 1 && penalty <= 2)) return penalty
  if (penalty !== 0) drop('frequencyPenalty')
  return undefined
}

/** The vendor can require one function, but not any function. */
function choiceOut({ toolChoice }: Conversation, drop: RequestTarget['drop']): Json | undefined {
  if (toolChoice?.mode !== 'required') return undefined
  const [name, ...more] = toolChoice.names ?? []
  if (name !== undefined && more.length === 0) return { type: 'function', function: { name } }
  drop('toolChoice')
  return undefined
}
