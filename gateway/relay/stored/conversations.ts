import pLimit from 'p-limit'
import { unixSeconds } from '../../base/clock.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { randomKey } from '../../base/ids.ts'
import { type JsonObject, objectIn, parsed, textIn } from '../../base/json/json.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import {
  conversationItemStore,
  conversationStore,
  type ItemRow,
  type NewItem,
} from '../../store/requests/conversations.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { ConversationRow } from '../../store/schema/schema.ts'
import { charactersOf, valuesIn } from './content.ts'
import { removeExpired, type StoredDeps } from './stored-responses.ts'

/** A conversation: `metadata` is the client's, `size` the total size of its items. */
export type KeptConversation = Readonly<{ id: string; metadata: JsonObject; createdAt: number; size: number }>

type StoredItem = Readonly<{ id: string; text: string }>

/** Items in the requested order; `isMore` if others follow. */
export type ItemStretch = Readonly<{ items: readonly StoredItem[]; isMore: boolean }>

/** The items after the one with id `after`, the newest first or last, and their maximum number. */
export type RequestedStretch = Readonly<{ after: string | undefined; isNewestFirst: boolean; limit: number }>

/**
 * Stored conversations (OpenAI's API reference, "Conversations"), each of one owner, for
 * `general_setting.stored_response_hours` after its last turn. Metadata and items are encrypted in the database.
 */
export interface Conversations {
  isOn(): boolean
  create(owner: RowOwner, metadata: JsonObject): Promise<KeptConversation>
  find(owner: RowOwner, id: string): Promise<KeptConversation | undefined>
  /** The conversations of an account, and the total size of their items. */
  totals(userId: number): Promise<Readonly<{ count: number; size: number }>>
  setMetadata(owner: RowOwner, id: string, metadata: JsonObject): Promise<void>
  remove(owner: RowOwner, id: string): Promise<void>
  /**
   * Adds items, all with ids; existing ids are not overwritten. Returns false if they exceed the size limit of the
   * conversation or its account, unless it `mayGrow` beyond that once.
   */
  add(owner: RowOwner, id: string, items: readonly JsonObject[], mayGrow?: boolean): Promise<boolean>
  /** Adds the items of a turn soon. Never throws. */
  append(owner: RowOwner, id: string, items: readonly JsonObject[]): void
  /** Resolves once the next turn of a conversation can find what was appended. Never rejects. */
  found(id: string): MaybePromise<void>
  /** All items, the oldest first; yields to the event loop between steps. */
  history(id: string): Promise<JsonObject[]>
  /** A page of items, of at most `MAX_PAGE_SIZE` after the first; undefined if the id `after` does not exist. */
  stretch(id: string, asked: RequestedStretch): Promise<ItemStretch | undefined>
  item(id: string, itemId: string): Promise<StoredItem | undefined>
  hasItem(id: string, itemId: string): Promise<boolean>
  removeItem(id: string, itemId: string): Promise<void>
  stop(): Promise<void>
}

/** Input items, and output items, that one turn may add. */
export const MAX_TURN_ITEMS = 1000
export const MAX_ITEM_LENGTH = 8 * 1024 * 1024

const CHARACTERS_PER_VALUE = 96
/** Decrypting or encrypting an item takes as long as this many characters of it. */
const WORK_OF_AN_ITEM = 8192
const MAX_REMOVED = 500
const NO_LIMIT = { size: Number.MAX_SAFE_INTEGER, accountSize: Number.MAX_SAFE_INTEGER }
const ID_LENGTH = 32
/** Characters; longer ids do not exist. */
const MAX_ID_LENGTH = 256
const OWN_ID = /^conv_[0-9A-Za-z]{32}$/

/** Whether an id was created by the gateway; those of vendors are longer. */
export const isOwnConversation = (id: string): boolean => OWN_ID.test(id)

/**
 * Conversations of one account, and the size limits of one and of all of them. An item counts its characters, and a
 * number for each value in it: many small values take longer to read than one long text.
 */
export const MAX_CONVERSATIONS = 10_000
export const MAX_CONVERSATION_SIZE = 32 * 1024 * 1024
export const MAX_ACCOUNT_SIZE = 8 * MAX_CONVERSATION_SIZE

/** An owner's share of a limit of its account: a guest key leaves the second half free. */
export const shareOf = ({ isGuest }: Pick<RowOwner, 'isGuest'>, limit: number): number =>
  isGuest ? Math.ceil(limit / 2) : limit

export const MAX_PAGE_SIZE = 4 * 1024 * 1024

const ITEMS_AT_ONCE = 10
const CLEANUP_MS = 600_000
/** Delay before expired conversations are deleted: a turn that began before may still add to one. */
const MARGIN_SECONDS = 3600

/** Keeps nothing in memory except pending writes. */
export function createConversations(deps: StoredDeps): Conversations {
  const { db, vault, settings, clock, jobs, log } = deps
  const store = conversationStore(db)
  const items = itemsIn(deps)
  const since = () => unixSeconds(clock) - settings.get('general_setting.stored_response_hours') * 3600
  const pending = new Map<string, Promise<void>>()
  const expiry = jobs.begin({
    name: 'conversations',
    everyMs: CLEANUP_MS,
    removesByAge: true,
    work: async ({ signal }) => ({
      key: 'job.removed',
      params: { n: await removeExpired({ store, clock, signal }, since() - MARGIN_SECONDS) },
    }),
  })
  return {
    ...items,
    isOn: () => settings.get('general_setting.stored_response_hours') > 0,
    async create(owner, metadata) {
      const id = `conv_${randomKey(ID_LENGTH)}`
      const createdAt = unixSeconds(clock)
      const sealed = sealedMetadata(vault, id, metadata)
      await store.add({ id, user_id: owner.userId, token_id: owner.tokenId, metadata: sealed, created_at: createdAt })
      return { id, metadata, createdAt, size: 0 }
    },
    async find(owner, id) {
      if (id.length > MAX_ID_LENGTH) return undefined
      const row = await store.one(owner, id, since())
      return row && conversationOf(vault, row)
    },
    totals: (userId) => store.totals(userId),
    setMetadata: (owner, id, metadata) => store.setMetadata(owner, id, sealedMetadata(vault, id, metadata)),
    async remove(owner, id) {
      if (!(await store.close(owner, id))) return
      while ((await store.removeOne(id, MAX_REMOVED)) === MAX_REMOVED) await yieldToOthers()
    },
    append(owner, id, newItems) {
      const added = (pending.get(id) ?? Promise.resolve())
        .then(() => items.add(owner, id, newItems, true))
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

function itemsIn({
  db,
  vault,
  clock,
}: StoredDeps): Pick<Conversations, 'add' | 'history' | 'stretch' | 'item' | 'hasItem' | 'removeItem'> {
  const store = conversationItemStore(db)
  const serialize = pLimit(1)
  const textOf = ({ id: itemId, content }: ItemRow, id: string): string => vault.open(content, itemScope(id, itemId))
  const opened = (row: ItemRow, id: string): JsonObject => objectIn(parsed(textOf(row, id)))
  return {
    async add(owner, id, items, mayGrow = false) {
      const rows: NewItem[] = []
      let written = 0
      for (const item of uniqueOf(items)) {
        const text = (await writeJson(item, charactersOf(item) > LARGE)).toString('utf8')
        const itemId = textIn(item.id) ?? ''
        rows.push({ id: itemId, content: vault.seal(text, itemScope(id, itemId)), size: sizeOf(item, text) })
        written += text.length + WORK_OF_AN_ITEM
        if (written < LARGE) continue
        written = 0
        await yieldToOthers()
      }
      const max = mayGrow ? NO_LIMIT : { size: MAX_CONVERSATION_SIZE, accountSize: shareOf(owner, MAX_ACCOUNT_SIZE) }
      return (await store.append({ owner, id, now: unixSeconds(clock), max }, rows)) !== undefined
    },
    async history(id) {
      const items: JsonObject[] = []
      let read = 0
      for (let after: number | undefined; ; ) {
        const rows = await store.items(id, { after, isNewestFirst: false, limit: ITEMS_AT_ONCE })
        for (const row of rows) {
          items.push(opened(row, id))
          read += row.content.length + WORK_OF_AN_ITEM
          if (read < LARGE) continue
          read = 0
          await yieldToOthers()
        }
        after = rows.at(-1)?.position
        if (rows.length < ITEMS_AT_ONCE) return items
      }
    },
    async stretch(id, { after, isNewestFirst, limit }) {
      const last = after === undefined ? undefined : await store.item(id, after)
      if (after !== undefined && !last) return undefined
      const items: StoredItem[] = []
      let read = 0
      for (let from = last?.position; ; ) {
        const rows = await store.items(id, { after: from, isNewestFirst, limit: Math.min(limit + 1, ITEMS_AT_ONCE) })
        for (const row of rows) {
          const isOver = items.length > 0 && read + row.content.length > MAX_PAGE_SIZE
          if (items.length === limit || isOver) return { items, isMore: true }
          read += row.content.length
          items.push({ id: row.id, text: textOf(row, id) })
          if (row.content.length > LARGE) await yieldToOthers()
        }
        from = rows.at(-1)?.position
        if (rows.length < ITEMS_AT_ONCE) return { items, isMore: false }
      }
    },
    async item(id, itemId) {
      const row = await store.item(id, itemId)
      if (!row || row.content.length <= LARGE) return row && { id: itemId, text: textOf(row, id) }
      // Long items one after another, each in a separate slot.
      return serialize(async () => {
        const text = textOf(row, id)
        await yieldToOthers()
        return { id: itemId, text }
      })
    },
    hasItem: (id, itemId) => store.has(id, itemId),
    async removeItem(id, itemId) {
      const row = await store.item(id, itemId)
      if (!row) return
      const item = opened(row, id)
      await store.removeItem(id, itemId, sizeOf(item, JSON.stringify(item)))
    },
  }
}

/** Removes duplicate ids; the first one counts. */
const uniqueOf = (items: readonly JsonObject[]): readonly JsonObject[] =>
  [...new Map(items.toReversed().map((item) => [item.id, item])).values()].reverse()

const sizeOf = (item: JsonObject, text: string): number => text.length + CHARACTERS_PER_VALUE * valuesIn(item)

const itemScope = (id: string, itemId: string): string => `conversation_items|${id}/${itemId}|content`

const metadataScope = (id: string): string => `conversations|${id}|metadata`

const sealedMetadata = (vault: Vault, id: string, metadata: JsonObject): string =>
  Object.keys(metadata).length > 0 ? vault.seal(JSON.stringify(metadata), metadataScope(id)) : ''

function conversationOf(
  vault: Vault,
  { id, metadata, created_at: createdAt, size }: ConversationRow,
): KeptConversation {
  const opened = metadata === '' ? {} : objectIn(parsed(vault.open(metadata, metadataScope(id))))
  return { id, metadata: opened, createdAt, size }
}
