import { type GatewayError, refuse } from '../../base/errors.ts'
import { type JsonObject, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import { spansYielding } from '../../base/json/json-spans.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { STORAGE_UNAVAILABLE } from '../../base/storage-fault.ts'
import { withKey } from '../../channels/registry/active-channel.ts'
import { shareOf } from '../../limits/request-limits.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import { type AdmitDeps, admitCall } from '../admission/admit.ts'
import { checkPayable, type ReserveDeps } from '../admission/reservation.ts'
import type { BodyMemory, MemoryShare } from '../intake/body-memory.ts'
import { checkLoadedTools } from '../intake/parse.ts'
import type { Call } from '../model/call.ts'
import { type Caller, type Requester, rowOwnerOf } from '../model/caller.ts'
import { offeredIn, type Plan } from '../model/plan.ts'
import type { RequestContext } from '../model/request-context.ts'
import { charactersOf, itemsOf, referenceIn, unstored } from './content.ts'
import {
  type Conversations,
  isOwnConversation,
  MAX_ACCOUNT_SIZE,
  MAX_CONVERSATION_SIZE,
  MAX_ITEM_LENGTH,
  MAX_TURN_ITEMS,
} from './conversations.ts'
import { BYTES_PER_CHARACTER, conversationOf } from './load-history.ts'
import { namedItems } from './named-items.ts'
import type { ResponseOwner, StoredResponses } from './stored-responses.ts'

/**
 * A call with its references resolved, and the location of those that a vendor stores; null if any channel may serve
 * the call.
 */
type Recalled = Readonly<{ call: Call; responseOwner: ResponseOwner | null }>

export const isReferring = ({ endpoint, json }: Call): boolean =>
  endpoint === 'responses' &&
  (Boolean(json.previous_response_id) || conversationIn(json) !== undefined || hasReferences(json.input))

/** The id of the stored conversation that a request continues; a vendor's own id is sent to the vendor. */
function conversationIn({ conversation }: Call['json']): string | undefined {
  const id = textIn(conversation) ?? textIn(objectIn(conversation).id)
  return id !== undefined && isOwnConversation(id) ? id : undefined
}

const hasReferences = (input: unknown): boolean => objectsIn(input).some((item) => referenceIn(item) !== undefined)

type RecallDeps = Readonly<{ stored: StoredResponses; conversations: Conversations }>

type RecalledDeps = RecallDeps & AdmitDeps & ReserveDeps & Readonly<{ bodies: BodyMemory }>

/**
 * A call with its references resolved, and its plan: nothing is read for callers who could not pay for the rest
 * (docs/reference/endpoints.md#stored-responses).
 */
export async function recalled(
  deps: RecalledDeps,
  context: RequestContext,
  { caller, suffix }: Requester,
  admitted: Readonly<{ call: Call; plan: Plan }>,
): Promise<Readonly<{ call: Call; plan: Plan }>> {
  await checkPayable(deps, context, caller, admitted.plan)
  const memory = deps.bodies.shareFor(context.owner, caller.account.id)
  const { call, responseOwner } = await recall(deps, { caller, memory }, admitted.call)
  return { call, plan: pinToChannel(admitCall(deps, caller, call, suffix), responseOwner) }
}

/**
 * Prepends to the input of a `/v1/responses` request what it refers to, if the gateway stores it: its `conversation`,
 * the responses up to `previous_response_id` with their inputs, and single items. References stored by a vendor tie the
 * call to its channel. Throws the vendor's error code for an id that does not exist or has another owner.
 */
async function recall(
  { stored, conversations }: RecallDeps,
  { caller, memory }: Readonly<{ caller: Caller; memory: MemoryShare }>,
  received: Call,
): Promise<Recalled> {
  const { call, responseOwner } = hasReferences(received.json.input)
    ? await dereferenced(stored, { caller, memory }, received)
    : { call: received, responseOwner: null }
  const conversationId = conversationIn(call.json)
  if (conversationId !== undefined)
    return { call: await turnOf(conversations, { caller, memory }, { call, id: conversationId }), responseOwner }
  const id = textIn(call.json.previous_response_id)
  if (!id) return { call, responseOwner }
  const found = await stored.find(rowOwnerOf(caller), id)
  if (!found) throw noPrevious(id)
  if ('channelId' in found) return { call, responseOwner: { ...found, id, param: 'previous_response_id' } }
  const history = await conversationOf(stored, rowOwnerOf(caller), id, found.content, memory)
  if (!history) throw noPrevious(id)
  const items = itemsOf(call.json.input)
  const complete = await withInput(call, [...history.input, ...objectsIn(history.response.output), ...items], {
    characters: history.characters,
    without: 'previous_response_id',
  })
  return { call: { ...complete, previousId: id, continued: { before: history.ids, items } }, responseOwner }
}

/**
 * The call with the conversation's items prepended to its input. Throws if the conversation is too long for another
 * turn, since the response must be added to it.
 */
async function turnOf(
  conversations: Conversations,
  { caller, memory }: Readonly<{ caller: Caller; memory: MemoryShare }>,
  { call, id }: Readonly<{ call: Call; id: string }>,
): Promise<Call> {
  const { previous_response_id: previousId, input } = call.json
  if (previousId)
    throw refuse('invalid', 'relay.twoHistories', {}, { code: 'mutually_exclusive_parameters', param: 'conversation' })
  const owner = rowOwnerOf(caller)
  const found = await conversations.find(owner, id)
  if (!found) throw noConversation(id, 'conversation')
  await refuseFull(conversations, owner, { ...found, more: call.bytes.length })
  memory.grow(call.bytes.length + found.size * BYTES_PER_CHARACTER)
  const items = itemsOf(input)
  checkTurn(call, items)
  const history = (await conversations.history(id)).flatMap(unstored)
  const put = { characters: found.size, without: 'conversation' }
  return { ...(await withInput(call, [...history, ...items], put)), conversation: { id, items } }
}

function checkTurn({ bytes }: Call, items: readonly JsonObject[]): void {
  if (items.length > MAX_TURN_ITEMS)
    throw refuse('invalid', 'relay.turnItems', { max: MAX_TURN_ITEMS }, { code: 'conversation_full', param: 'input' })
  const isLong = bytes.length > MAX_ITEM_LENGTH && items.some((item) => charactersOf(item) > MAX_ITEM_LENGTH)
  const mebibytes = MAX_ITEM_LENGTH / 1024 ** 2
  if (isLong) throw refuse('invalid', 'relay.itemTooLong', { mebibytes }, { code: 'conversation_full', param: 'input' })
}

/** The conversation does not exist, belongs to another account, or has expired. */
export const noConversation = (id: string, param: string): GatewayError =>
  refuse('missing', 'relay.noConversation', { id: id.slice(0, MAX_SHOWN) }, { code: 'conversation_not_found', param })

const MAX_SHOWN = 100

/**
 * Throws if adding `more` would exceed the limit of a conversation or of its account, or if the disk is almost full.
 */
export async function refuseFull(
  conversations: Pick<Conversations, 'totals' | 'hasSpace'>,
  owner: RowOwner,
  {
    id,
    size,
    more,
    maxSize = MAX_ACCOUNT_SIZE,
  }: Readonly<{ id: string; size: number; more: number; maxSize?: number }>,
): Promise<void> {
  if (!conversations.hasSpace()) throw refuse('unavailable', 'relay.storageFull', {}, { code: STORAGE_UNAVAILABLE })
  if (size + more > MAX_CONVERSATION_SIZE) throw fullConversation(id)
  const all = await conversations.totals(owner.userId)
  if (all.size + more > shareOf(owner, maxSize))
    throw refuse('invalid', 'relay.conversationsFull', {}, { code: 'conversation_full' })
}

export const fullConversation = (id: string): GatewayError =>
  refuse('invalid', 'relay.conversationFull', { id }, { code: 'conversation_full' })

/**
 * Narrows the plan to the channel and key that store what the call refers to; throws if the plan does not contain them.
 */
function pinToChannel(plan: Plan, responseOwner: ResponseOwner | null): Plan {
  if (!responseOwner) return plan
  const found = offeredIn(plan).find(({ id }) => id === responseOwner.channelId)
  const forced = found && withKey(found, responseOwner.keyId)
  if (!forced) throw responseElsewhere(responseOwner.id, responseOwner.param)
  return { ...plan, forced }
}

/** The channel that stores a response cannot be used. Clients react to this code by sending everything again. */
export const responseElsewhere = (id: string, param: string): GatewayError =>
  refuse('invalid', 'relay.responseElsewhere', { id }, { code: 'previous_response_not_found', param })

const noPrevious = (id: string): GatewayError =>
  refuse(
    'invalid',
    'relay.noPreviousResponse',
    { id },
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  )

/** The call with references to locally stored items resolved; those stored by a vendor are unchanged. */
async function dereferenced(
  stored: StoredResponses,
  { caller, memory }: Readonly<{ caller: Caller; memory: MemoryShare }>,
  call: Call,
): Promise<Recalled> {
  const { items, responseOwner, characters } = await namedItems(stored, rowOwnerOf(caller), call.json.input, memory)
  memory.grow(call.bytes.length + characters * BYTES_PER_CHARACTER)
  return { call: await withInput(call, items, { characters }), responseOwner }
}

/** The number of characters added to an input; `without` is a field to remove. */
type PutIn = Readonly<{ characters: number; without?: string }>

async function withInput(call: Call, input: readonly JsonObject[], { characters, without = '' }: PutIn): Promise<Call> {
  checkLoadedTools(input)
  const { [without]: _, ...rest } = call.json
  const json = { ...rest, input }
  const bytes = await writeJson(json, call.bytes.length + characters > LARGE)
  return { ...call, json, bytes, spans: await spansYielding(bytes) }
}
