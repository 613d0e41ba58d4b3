import { present } from '../../../base/json.ts'
import type { Json, RequestTarget } from '../../formats/codec.ts'
import type { Conversation } from '../../formats/conversation.ts'
import { refuseFunctions } from '../functions.ts'
import { plainTurns, systemAsUser } from '../plain-turns.ts'
import { ownMembers, type Told } from '../untold.ts'

/** The vendor takes no more. */
const MOST_TOP_P = 0.99

/** Writes a request of ChatGLM's third interface (spec/relay.md §2.3 "zhipu"); a stream's pieces are asked for as they come. */
export function encodeRequest(conversation: Conversation, { drop }: RequestTarget): Json {
  const { temperature, topP, stream } = conversation
  const own = ownMembers(conversation, TOLD, drop)
  refuseFunctions(conversation, TOLD.vendor, drop)
  const turns = systemAsUser(plainTurns(conversation, TOLD.vendor, drop))
  return present({
    ...own,
    prompt: turns.map(({ role, text }) => ({ role, content: text })),
    temperature,
    top_p: topP === undefined ? undefined : Math.min(topP, MOST_TOP_P),
    incremental: stream ? true : undefined,
  })
}

const TOLD: Told = { vendor: 'Zhipu', fields: ['temperature', 'topP'], own: ['ref', 'request_id', 'return_type'] }
