import { type GatewayError, refuse } from '../../base/errors.ts'
import { type JsonObject, objectsIn, textIn } from '../../base/json.ts'
import type { Plan } from '../admit.ts'
import type { Caller } from '../identify.ts'
import { outlineOf } from '../outline.ts'
import type { Call } from '../understand.ts'
import { type Content, itemsOf, readContent, referenceIn, responseOf } from './content.ts'
import type { StoredResponses } from './stored-responses.ts'

/** A call with what it refers to put in, and the one channel whose vendor knows the rest; 0 for any. */
export type Recalled = Readonly<{ call: Call; channelId: number }>

/** Whether a call refers to something that was said before. */
export const isReferring = ({ endpoint, json }: Call): boolean =>
  endpoint === 'responses' && (Boolean(json.previous_response_id) || hasReferences(json.input))

const hasReferences = (input: unknown): boolean => objectsIn(input).some((item) => referenceIn(item) !== undefined)

/**
 * Puts what a request of `/v1/responses` refers to and the gateway keeps in front of its input: the conversation up to
 * `previous_response_id`, and single items. What a vendor keeps ties the call to its channel. Refuses an id of nobody's
 * or somebody else's with the vendor's code.
 */
export async function recall(stored: StoredResponses, caller: Caller, call: Call): Promise<Recalled> {
  const { input, previous_response_id: previous } = call.json
  const id = textIn(previous) ?? ''
  const own = hasReferences(input) ? await dereferenced(stored, caller, input) : undefined
  if (id === '') return { call: own ? withInput(call, own) : call, channelId: 0 }
  const kept = await stored.find(caller.account.id, id)
  if (!kept) throw noPrevious(id)
  if ('channelId' in kept) return { call: own ? withInput(call, own) : call, channelId: kept.channelId }
  const before = readContent(kept.content)
  const all = [...before.input, ...objectsIn(before.response.output), ...itemsOf(own ?? input)]
  return { call: { ...withInput(call, all, 'previous_response_id'), previousId: id }, channelId: 0 }
}

/** The plan narrowed to one channel; refuses where that channel is none of it. */
export function pinned(plan: Plan, channelId: number, call: Call): Plan {
  if (channelId === 0 || plan.forced?.id === channelId) return plan
  const found = plan.tiers.flatMap(({ members }) => members).find(({ channel }) => channel.id === channelId)
  if (!found) throw responseElsewhere(String(call.json.previous_response_id), 'previous_response_id')
  return { ...plan, forced: found.channel }
}

/** The channel that keeps a response cannot be asked. Clients know the code as a reason to send everything anew. */
export const responseElsewhere = (id: string, param: string): GatewayError =>
  refuse('invalid', 'relay.responseElsewhere', { id }, { code: 'previous_response_not_found', param })

const noPrevious = (id: string): GatewayError =>
  refuse(
    'invalid',
    'relay.noPreviousResponse',
    { id },
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  )

/** The input with the items that it only names and that are kept here; undefined where there are none. */
async function dereferenced(
  stored: StoredResponses,
  caller: Caller,
  input: unknown,
): Promise<readonly JsonObject[] | undefined> {
  const items = objectsIn(input)
  const named = items.map((item) => responseOf(referenceIn(item) ?? ''))
  const ids = [...new Set(named.filter((id) => id !== undefined))]
  if (ids.length === 0) return undefined
  const contents = new Map<string, Content>()
  for (const id of ids) {
    const kept = await stored.find(caller.account.id, id)
    if (kept && 'content' in kept) contents.set(id, readContent(kept.content))
  }
  return items.map((item, index) => {
    const output = objectsIn(contents.get(named[index] ?? '')?.response.output)
    const found = output.find(({ id }) => id === item.id)
    if (!found && named[index]) throw refuse('missing', 'relay.noResponse', { id: String(item.id) }, { param: 'input' })
    return found ?? item
  })
}

/** The call with another input, its bytes written anew, and without one of its fields. */
function withInput(call: Call, input: readonly JsonObject[], without = ''): Call {
  const { [without]: _, ...rest } = call.json
  const json = { ...rest, input }
  const bytes = Buffer.from(JSON.stringify(json))
  return { ...call, json, bytes, outline: outlineOf(bytes) }
}
