import { percentDecoded } from '../../base/bytes/percent.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject, type JsonObject, objectIn } from '../../base/json/json.ts'
import { UntrustedSet } from '../../base/untrusted-keys.ts'
import { shareOf } from '../../limits/request-limits.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import { admitCaller } from '../admission/admit.ts'
import { holdRequestOf } from '../admission/reservation.ts'
import { readBody } from '../intake/body.ts'
import { jsonBody } from '../intake/parse.ts'
import { type Caller, rowOwnerOf } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { itemsOf } from '../stored/content.ts'
import {
  MAX_ACCOUNT_SIZE,
  MAX_CONVERSATION_SIZE,
  MAX_CONVERSATIONS,
  MAX_UNPAID_SIZE,
  type MaxSizes,
  type StoredConversation,
} from '../stored/conversations.ts'
import { fullConversation, noConversation, refuseFull } from '../stored/recall.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { invalidField, pageOf, requestedPage, writtenPage } from './item-page.ts'
import { sendJson } from './reply.ts'

/** Actions on conversations and their items (OpenAI's API reference, "Conversations"). */
export type ConversationAction =
  | 'create'
  | 'retrieve'
  | 'update'
  | 'delete'
  | 'list-items'
  | 'create-items'
  | 'retrieve-item'
  | 'delete-item'

const STORING: ReadonlySet<ConversationAction> = new Set(['create', 'update', 'create-items'])

type ConversationRequest = Readonly<{
  owner: RowOwner
  /**
   * Bytes that the account may store (`MAX_ACCOUNT_SIZE`, or `MAX_UNPAID_SIZE` without a balance); 0 for actions that
   * store nothing.
   */
  maxSize: number
  conversation: StoredConversation
  itemId: string
}>
type Answer = (deps: AuxiliaryDeps, context: RequestContext, request: ConversationRequest) => Promise<object>

/**
 * Handles requests about stored conversations; nothing is charged. `parts` are the ids in the path. Sends 404 for a
 * conversation or an item that is unknown, expired or owned by another account.
 */
export async function answerConversation(
  deps: AuxiliaryDeps,
  context: RequestContext,
  { action, parts }: Readonly<{ action: ConversationAction; parts: readonly string[] }>,
): Promise<void> {
  const found = deps.identify(context)
  const { caller, suffix } = found instanceof Promise ? await found : found
  admitCaller(deps.relay, caller, context, suffix)
  const { conversations } = deps.relay
  if (!conversations.isOn()) throw refuse('invalid', 'relay.noConversations', {}, { code: 'conversations_disabled' })
  const owner = rowOwnerOf(caller)
  await yieldToOthers()
  const maxSize = STORING.has(action) ? await maxSizeOf(deps, context, caller) : 0
  if (action === 'create') return sendJson(context, 200, await create(deps, context, { owner, maxSize }))
  const [id = '', itemId = ''] = parts.map(percentDecoded)
  const conversation = await conversations.find(owner, id)
  if (!conversation) throw noConversation(id, 'conversation_id')
  sendJson(context, 200, await answers[action](deps, context, { owner, maxSize, conversation, itemId }))
}

/** Storing without a turn costs nothing, so an account without a balance may store less. */
async function maxSizeOf({ relay }: AuxiliaryDeps, { requestId }: RequestContext, caller: Caller): Promise<number> {
  try {
    const hold = await relay.ledger.hold({ ...holdRequestOf(relay.settings, caller, requestId, 1), remindBelow: 0 })
    hold.release()
    return MAX_ACCOUNT_SIZE
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'exhausted') return MAX_UNPAID_SIZE
    throw error
  }
}

type Creating = Pick<ConversationRequest, 'owner' | 'maxSize'>

async function create(deps: AuxiliaryDeps, context: RequestContext, { owner, maxSize }: Creating): Promise<object> {
  const { conversations } = deps.relay
  const { json, size } = await bodyOf(deps, context, owner)
  const metadata = metadataIn(json)
  const items = json.items === undefined || json.items === null ? [] : itemsIn(json)
  if ((await conversations.totals(owner.userId)).count >= shareOf(owner, MAX_CONVERSATIONS))
    throw refuse('invalid', 'relay.conversationsFull', {}, { code: 'conversation_full' })
  await refuseFull(conversations, owner, { id: '', size: 0, more: size, maxSize })
  await checkWords(deps, context, items)
  const made = await conversations.create(owner, metadata)
  const isAdded = items.length === 0 || (await conversations.add(owner, made.id, items, maxSizes(owner, maxSize)))
  if (isAdded) return shown(made)
  await conversations.remove(owner, made.id)
  throw fullConversation('')
}

const answers: Readonly<Record<Exclude<ConversationAction, 'create'>, Answer>> = {
  retrieve: async (_deps, _context, { conversation }) => shown(conversation),

  async update(deps, context, { owner, maxSize, conversation }) {
    const { json, size } = await bodyOf(deps, context, owner)
    const metadata = metadataIn(json)
    await refuseFull(deps.relay.conversations, owner, { id: '', size: 0, more: size, maxSize })
    await deps.relay.conversations.setMetadata(owner, conversation.id, metadata)
    return shown({ ...conversation, metadata })
  },

  async delete({ relay }, _context, { owner, conversation: { id } }) {
    await relay.conversations.remove(owner, id)
    return { id, object: 'conversation.deleted', deleted: true }
  },

  async 'list-items'({ relay }, { query, owner: memoryOwner }, { conversation, owner }) {
    const requested = requestedPage(new URLSearchParams(query))
    const memory = relay.bodies.shareFor(memoryOwner, owner.userId)
    const page = await relay.conversations.page(conversation.id, requested, memory)
    if (!page) throw invalidField('after')
    return writtenPage(page)
  },

  async 'create-items'(deps, context, { owner, maxSize, conversation }) {
    const { conversations } = deps.relay
    const { json, size } = await bodyOf(deps, context, owner)
    const items = itemsIn(json)
    await refuseFull(conversations, owner, { ...conversation, more: size, maxSize })
    for (const { id } of items)
      if (await conversations.hasItem(conversation.id, String(id)))
        throw refuse('invalid', 'relay.itemExists', { id: String(id) }, { code: 'invalid_request', param: 'items' })
    await checkWords(deps, context, items)
    if (!(await conversations.add(owner, conversation.id, items, maxSizes(owner, maxSize))))
      throw fullConversation(conversation.id)
    return pageOf({ items, isMore: false })
  },

  async 'retrieve-item'({ relay }, { owner: memoryOwner }, { conversation, itemId, owner }) {
    const memory = relay.bodies.shareFor(memoryOwner, owner.userId)
    const item = await relay.conversations.item(conversation.id, itemId, memory)
    if (!item) throw noItem(itemId)
    return item.json
  },

  async 'delete-item'({ relay }, _context, { conversation, itemId }) {
    if (!(await relay.conversations.hasItem(conversation.id, itemId))) throw noItem(itemId)
    await relay.conversations.removeItem(conversation.id, itemId)
    return shown(conversation)
  },
}

const maxSizes = (owner: RowOwner, maxSize: number): MaxSizes => ({
  size: MAX_CONVERSATION_SIZE,
  accountSize: shareOf(owner, maxSize),
})

/**
 * Throws if an item contains a blocked word, which a vendor would get with the next turn
 * (docs/reference/limits.md#blocked-words).
 */
async function checkWords({ relay }: AuxiliaryDeps, { requestId }: RequestContext, items: readonly JsonObject[]) {
  await relay.words.checkPrompt({ input: items }, 'responses', requestId)
}

const shown = ({ id, metadata, createdAt }: StoredConversation): object => ({
  id,
  object: 'conversation',
  created_at: createdAt,
  metadata,
})

const noItem = (id: string) =>
  refuse('missing', 'relay.noItem', { id: id.slice(0, MAX_SHOWN) }, { code: 'item_not_found', param: 'item_id' })

const MAX_SHOWN = 100

/** The body, which may be empty if all members are optional, and its size in bytes. */
async function bodyOf(
  { relay }: AuxiliaryDeps,
  context: RequestContext,
  { userId }: RowOwner,
): Promise<Readonly<{ json: Readonly<JsonObject>; size: number }>> {
  const share = relay.bodies.shareFor(context.owner, userId)
  const bytes = await readBody(context.request, share, MAX_BODY)
  // Each change is a commit, which costs milliseconds.
  await yieldToOthers()
  return { json: bytes.length === 0 ? {} : (await jsonBody(bytes, share)).json, size: bytes.length }
}

const MAX_ITEMS = 20
const MAX_BODY = 8 * 1024 * 1024

/** The items of a body as they are stored: with ids, messages as completed. */
function itemsIn({ items }: Readonly<JsonObject>): JsonObject[] {
  const isList = Array.isArray(items) && items.length > 0 && items.length <= MAX_ITEMS && items.every(isObject)
  if (!isList) throw invalidField('items')
  const complete = itemsOf(items)
  if (new UntrustedSet(complete.map(({ id }) => id)).size < complete.length) throw invalidField('items')
  return complete.map((item) => (item.type === 'message' ? { status: 'completed', ...item } : item))
}

const MAX_PAIRS = 16
const MAX_NAME = 64
const MAX_VALUE = 512

/** Up to 16 keys of at most 64 characters, each with a value of at most 512; empty if absent. */
function metadataIn({ metadata }: Readonly<JsonObject>): JsonObject {
  if (metadata === undefined || metadata === null) return {}
  const pairs = Object.entries(objectIn(metadata))
  const isFit = ([name, value]: [string, unknown]) =>
    name.length <= MAX_NAME && typeof value === 'string' && value.length <= MAX_VALUE
  if (!isObject(metadata) || pairs.length > MAX_PAIRS || !pairs.every(isFit)) throw invalidField('metadata')
  return metadata
}
