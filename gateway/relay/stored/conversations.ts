import { unixSeconds } from '../../base/clock.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { randomKey } from '../../base/ids.ts'
import { deletionDelayS } from '../../base/jobs.ts'
import { type JsonObject, objectIn, parsed, textIn } from '../../base/json/json.ts'
import { readJson } from '../../base/json/json-read.ts'
import { answerBounds, LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { countLoneSurrogates } from '../../base/json/lone-surrogates.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { bytesOf, countWithin, type RowSize, stepsOf } from '../../base/row-steps.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import { UntrustedMap } from '../../base/untrusted-keys.ts'
import { conversationItemStore, type NewItem } from '../../store/requests/conversation-items.ts'
import { conversationStore } from '../../store/requests/conversations.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { ConversationRow } from '../../store/schema/schema.ts'
import type { MemoryShare } from '../intake/body-memory.ts'
import { charactersOf, valuesIn } from './content.ts'
import { removeExpired, type StoredDeps } from './stored-responses.ts'

/** A conversation: `metadata` is the client's, `size` the total size of the metadata and the items. */
export type StoredConversation = Readonly<{ id: string; metadata: JsonObject; createdAt: number; size: number }>

/** Max sizes of a conversation and of all conversations of its account. */
export type MaxSizes = Readonly<{ size: number; accountSize: number }>

/** An item, and its JSON as bytes. */
type StoredItem = Readonly<{ id: string; json: Buffer }>

/** Items in the requested order; `isMore` if others follow. */
export type ItemPage = Readonly<{ items: readonly StoredItem[]; isMore: boolean }>

/** The items after the one with id `after`, the newest first or last, and their maximum number. */
export type RequestedPage = Readonly<{ after: string | undefined; isNewestFirst: boolean; limit: number }>

/**
 * Stored conversations (OpenAI's API reference, "Conversations"), each of one owner, for
 * `general_setting.stored_response_hours` after its last turn. Metadata and items are encrypted in the database.
 */
export interface Conversations {
  isOn(): boolean
  /** Whether there is disk space for more items. */
  hasSpace(): boolean
  create(owner: RowOwner, metadata: JsonObject): Promise<StoredConversation>
  find(owner: RowOwner, id: string): Promise<StoredConversation | undefined>
  /** The number of an account's conversations, and their total size. */
  totals(userId: number): Promise<Readonly<{ count: number; size: number }>>
  setMetadata(owner: RowOwner, id: string, metadata: JsonObject): Promise<void>
  remove(owner: RowOwner, id: string): Promise<void>
  /**
   * Adds items, all with ids; existing ids are not overwritten. Returns false if they exceed the max size of the
   * conversation or the account.
   */
  add(owner: RowOwner, id: string, items: readonly JsonObject[], max: MaxSizes): Promise<boolean>
  /** Adds the items of a turn soon. Never throws. */
  append(owner: RowOwner, id: string, items: readonly JsonObject[]): void
  /** Resolves once the next turn of a conversation can find what was appended. Never rejects. */
  found(id: string): MaybePromise<void>
  /** All items, the oldest first; yields to the event loop between steps. */
  history(id: string): Promise<JsonObject[]>
  /**
   * A page of items, of at most `MAX_PAGE_SIZE` after the first; undefined if the id `after` does not exist. Reserves
   * memory before it reads them, and yields between steps.
   */
  page(id: string, requested: RequestedPage, memory: MemoryShare): Promise<ItemPage | undefined>
  /** One item; reserves memory before it reads it. */
  item(id: string, itemId: string, memory: MemoryShare): Promise<StoredItem | undefined>
  hasItem(id: string, itemId: string): Promise<boolean>
  removeItem(id: string, itemId: string): Promise<void>
  stop(): Promise<void>
}

/** Max input items, and max output items, that one turn may add. */
export const MAX_TURN_ITEMS = 1000
export const MAX_ITEM_LENGTH = 8 * 1024 * 1024

const CHARACTERS_PER_VALUE = 96
/** For a surrogate without its other half, which takes as long to write. */
const CHARACTERS_PER_SURROGATE = 100
/** Bytes of a part of an item; encrypted, less than 1 MiB. */
const PART_BYTES = 720 * 1024
/** Fixed cost of an item, in characters: added to the item's length to decide when to yield to the event loop. */
const WORK_OF_AN_ITEM = 8192
const MAX_REMOVED = 500
const NO_LIMIT: MaxSizes = { size: Number.MAX_SAFE_INTEGER, accountSize: Number.MAX_SAFE_INTEGER }
const ID_LENGTH = 32
/** Max characters of an id; longer ones do not exist. */
const MAX_ID_LENGTH = 256
const OWN_ID = /^conv_[0-9A-Za-z]{32}$/

/** Whether an id was created by the gateway; vendors' ids are longer. */
export const isOwnConversation = (id: string): boolean => OWN_ID.test(id)

/**
 * Max conversations of one account, and max sizes of one conversation and of all together. An item's size is that of
 * its encrypted JSON plus a number for each value in it: many small values take longer to read than one long text, and
 * half surrogate pairs longer to write.
 */
export const MAX_CONVERSATIONS = 10_000
export const MAX_CONVERSATION_SIZE = 32 * 1024 * 1024
export const MAX_ACCOUNT_SIZE = 8 * MAX_CONVERSATION_SIZE
/** Max size of all conversations of an account without a balance, which pays nothing for storing them. */
export const MAX_UNPAID_SIZE = MAX_CONVERSATION_SIZE / 2

/** Max bytes of a page in the database, as encrypted base64. */
const MAX_PAGE_SIZE = 4 * 1024 * 1024

const SIZES_AT_ONCE = 500
const CLEANUP_MS = 600_000
/** Min delay before expired conversations are deleted: a turn that began before may still add to one. */
const MARGIN_SECONDS = 3600

/** Keeps nothing in memory except pending writes. */
export function createConversations(deps: StoredDeps): Conversations {
  const { db, vault, settings, clock, jobs, log } = deps
  const store = conversationStore(db)
  const lifetime = () => settings.get('general_setting.stored_response_hours') * 3600
  const since = () => unixSeconds(clock) - lifetime()
  const items = itemsIn(deps, since)
  const pending = new Map<string, Promise<void>>()
  const expiry = jobs.begin({
    name: 'conversations',
    everyMs: CLEANUP_MS,
    removesByAge: true,
    work: async ({ signal }) => ({
      key: 'job.removed',
      params: {
        n: await removeExpired(
          { store, clock, signal },
          since() - Math.max(deletionDelayS(lifetime()), MARGIN_SECONDS),
        ),
      },
    }),
  })
  return {
    ...items,
    isOn: () => settings.get('general_setting.stored_response_hours') > 0,
    hasSpace: deps.hasDiskSpace,
    async create(owner, metadata) {
      const id = `conv_${randomKey(ID_LENGTH)}`
      const createdAt = unixSeconds(clock)
      const sealed = sealedMetadata(vault, id, metadata)
      await store.add({ id, user_id: owner.userId, token_id: owner.tokenId, metadata: sealed, created_at: createdAt })
      return { id, metadata, createdAt, size: sealed.length }
    },
    async find(owner, id) {
      if (id.length > MAX_ID_LENGTH) return undefined
      const row = await store.one(owner, id, since())
      return row && conversationOf(vault, row)
    },
    totals: (userId) => store.totals(userId, since()),
    setMetadata: (owner, id, metadata) => store.setMetadata(owner, id, sealedMetadata(vault, id, metadata)),
    async remove(owner, id) {
      if (!(await store.close(owner, id))) return
      while ((await store.removeOne(id, MAX_REMOVED)) > 0) await yieldToOthers()
    },
    append(owner, id, newItems) {
      const added = (pending.get(id) ?? Promise.resolve())
        .then(() => items.add(owner, id, newItems, NO_LIMIT))
        .catch((error: unknown) => log.warn('a turn could not be added to its conversation', { error }))
        .then(() => {
          if (pending.get(id) === added) pending.delete(id)
        })
      pending.set(id, added)
    },
    found: (id) => pending.get(id),
    async stop() {
      await expiry.stop()
      await Promise.all(pending.values())
    },
  }
}

type ItemCalls = Pick<Conversations, 'add' | 'history' | 'page' | 'item' | 'hasItem' | 'removeItem'>

/** `since` is the time, in unix seconds, after which a conversation must have been used not to be expired. */
function itemsIn({ db, vault, clock }: StoredDeps, since: () => number): ItemCalls {
  const store = conversationItemStore(db)
  /** The items of these sizes, in order, read in steps; yields before each step. */
  async function* read(id: string, sizes: readonly RowSize[], isNewestFirst = false): AsyncGenerator<StoredItem> {
    for (const positions of stepsOf(sizes)) {
      await yieldToOthers()
      for (const row of await store.at(id, positions, isNewestFirst))
        yield { id: row.id, json: await opened(vault, { id, itemId: row.id }, row.parts) }
    }
  }
  return {
    async add(owner, id, items, max) {
      const rows: NewItem[] = []
      let written = 0
      for (const item of uniqueOf(items)) {
        const json = await writeJson(item, charactersOf(item) > LARGE)
        const itemId = textIn(item.id) ?? ''
        const parts = await sealed(vault, { id, itemId }, json)
        rows.push({ id: itemId, parts, size: sizeOf(item, json, lengthOf(parts)) })
        written += json.length + WORK_OF_AN_ITEM
        if (written < LARGE) continue
        written = 0
        await yieldToOthers()
      }
      return (await store.append({ owner, id, now: unixSeconds(clock), since: since(), max }, rows)) !== undefined
    },
    async history(id) {
      const items: JsonObject[] = []
      for (let after: number | undefined; ; ) {
        const sizes = await store.sizes(id, { after, isNewestFirst: false, limit: SIZES_AT_ONCE })
        for await (const { json } of read(id, sizes)) items.push(await objectOf(json))
        after = sizes.at(-1)?.id
        if (sizes.length < SIZES_AT_ONCE) return items
      }
    },
    async page(id, { after, isNewestFirst, limit }, memory) {
      const last = after === undefined ? undefined : await store.size(id, after)
      if (after !== undefined && !last) return undefined
      const sizes = await store.sizes(id, { after: last?.id, isNewestFirst, limit: limit + 1 })
      const shown = sizes.slice(0, Math.min(limit, countWithin(sizes, MAX_PAGE_SIZE)))
      memory.grow(bytesOf(shown) * MEMORY_PER_BYTE)
      const items: StoredItem[] = []
      for await (const item of read(id, shown, isNewestFirst)) items.push(item)
      return { items, isMore: shown.length < sizes.length }
    },
    async item(id, itemId, memory) {
      const size = await store.size(id, itemId)
      if (!size) return undefined
      memory.grow(size.bytes * MEMORY_PER_BYTE)
      for await (const item of read(id, [size])) return item
      return undefined
    },
    hasItem: async (id, itemId) => (await store.size(id, itemId)) !== undefined,
    async removeItem(id, itemId) {
      const size = await store.size(id, itemId)
      if (!size) return
      for await (const { json } of read(id, [size]))
        await store.removeItem(id, itemId, sizeOf(await objectOf(json), json, size.bytes))
    },
  }
}

/** Bytes of memory per byte that is read: the encrypted text and the plain bytes. */
const MEMORY_PER_BYTE = 2

const objectOf = async (json: Buffer): Promise<JsonObject> =>
  objectIn(json.length > LARGE ? (await readJson(json, answerBounds)).json : parsed(json.toString()))

/** Removes items with duplicate ids, except the first of each. */
const uniqueOf = (items: readonly JsonObject[]): readonly JsonObject[] =>
  [...new UntrustedMap(items.toReversed().map((item) => [item.id, item])).values()].reverse()

function sizeOf(item: JsonObject, json: Buffer, storedBytes: number): number {
  const lone = countLoneSurrogates(json, 0, json.length, Number.MAX_SAFE_INTEGER)
  return storedBytes + CHARACTERS_PER_VALUE * valuesIn(item) + CHARACTERS_PER_SURROGATE * lone
}

const lengthOf = (parts: readonly string[]): number => parts.reduce((sum, { length }) => sum + length, 0)

type ItemName = Readonly<{ id: string; itemId: string }>

const scopeOf = ({ id, itemId }: ItemName, part: number): string =>
  part === 0 ? `conversation_items|${id}/${itemId}|content` : `conversation_parts|${id}/${itemId}/${part}|content`

/** Encrypts the JSON of an item in parts; yields before each further one. */
async function sealed(vault: Vault, name: ItemName, json: Buffer): Promise<string[]> {
  const parts = [vault.seal(json.subarray(0, PART_BYTES), scopeOf(name, 0))]
  for (let at = PART_BYTES; at < json.length; at += PART_BYTES) {
    await yieldToOthers()
    parts.push(vault.seal(json.subarray(at, at + PART_BYTES), scopeOf(name, parts.length)))
  }
  return parts
}

async function opened(vault: Vault, name: ItemName, parts: readonly string[]): Promise<Buffer> {
  const bytes: Buffer[] = []
  for (const [part, content] of parts.entries()) bytes.push(await vault.openBytes(content, scopeOf(name, part)))
  return Buffer.concat(bytes)
}

const metadataScope = (id: string): string => `conversations|${id}|metadata`

const sealedMetadata = (vault: Vault, id: string, metadata: JsonObject): string =>
  Object.keys(metadata).length > 0 ? vault.seal(JSON.stringify(metadata), metadataScope(id)) : ''

function conversationOf(
  vault: Vault,
  { id, metadata, created_at: createdAt, size }: ConversationRow,
): StoredConversation {
  const opened = metadata === '' ? {} : objectIn(parsed(vault.open(metadata, metadataScope(id))))
  return { id, metadata: opened, createdAt, size }
}
