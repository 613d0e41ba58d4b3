import { randomId } from '../../../api/random-id.ts'
import { currentUserId, hasSessionEnded } from '../../../api/session.ts'
import { conversationsOf } from '../../../api/stored-conversations.ts'
import type { Draft } from '../use-draft.ts'
import { hurriedDraft } from './hurried-draft.ts'
import { merged } from './merge.ts'
import { type StoredConversation, sizeOf, storedConversation, storedDraft, titleOf } from './stored-conversation.ts'

/** A conversation in the list; `changedAt` in unix milliseconds. */
export type Summary = Readonly<{ id: string; title: string; changedAt: number; size: number; revision?: string }>

/** Maximum number of stored conversations, and of their total characters (docs/reference/screens.md#playground). */
export const maxStored = { conversations: 100, characters: 200_000_000 } as const

/** One account's conversations in this browser. Throws if the database fails (no space, no permission). */
export type ConversationStore = Readonly<{
  /** Newest first. */
  list: () => Promise<readonly Summary[]>
  read: (id: string) => Promise<StoredConversation | undefined>
  /**
   * Stores a conversation and returns the stored version, merged with what another window has stored since `base`.
   * Deletes the oldest ones beyond the limits. Does nothing once the account has logged out.
   */
  save: (conversation: StoredConversation, base?: StoredConversation) => Promise<StoredConversation>
  /** Calls back with the id of each conversation that another window stores; returns an unsubscribe function. */
  watch: (onStored: (id: string) => void) => () => void
  remove: (id: string) => Promise<void>
  readDraft: () => Promise<Draft | undefined>
  saveDraft: (draft: Draft) => Promise<void>
  close: () => void
}>

/** Opens an account's store; the database is created on first use. */
export function createConversationStore(userId: number): ConversationStore {
  const { within, close } = createConnection(conversationsOf(userId))
  const windows = otherWindows(conversationsOf(userId))
  const hurried = hurriedDraft(userId)
  // An expired session may be resumed, so changes made until then are still stored.
  const isGone = () => currentUserId() !== userId && !hasSessionEnded()
  return {
    close,
    list: () => within('readonly', async (store) => newestFirst(await requestResult(store('summaries').getAll()))),
    read: (id) => within('readonly', (store) => readFrom(store, id)),
    async save(conversation, base) {
      if (isGone()) return conversation
      const saved = await within('readwrite', async (store) => {
        const theirs = base && (await newerThan(base, store))
        const now = base && theirs ? merged({ base, ours: conversation, theirs }) : conversation
        const next = { ...now, revision: randomId() }
        const { id, changedAt, revision } = next
        store('conversations').put(next)
        store('summaries').put({ id, title: titleOf(next), changedAt, size: sizeOf(next), revision })
        const all = newestFirst(await requestResult(store('summaries').getAll()))
        for (const old of overLimit(all, id)) for (const name of both) store(name).delete(old)
        return next
      })
      windows.report(saved.id)
      return saved
    },
    watch: windows.watch,
    remove: (id) =>
      within('readwrite', async (store) => {
        for (const name of both) store(name).delete(id)
      }),
    async readDraft() {
      const draft = await within('readonly', async (store) => requestResult(store('draft').get(DRAFT)))
      return hurried.over(storedDraft.safeParse(draft).data)
    },
    async saveDraft(draft) {
      if (isGone()) return
      hurried.store(draft.text)
      await within('readwrite', async (store) => void store('draft').put(draft, DRAFT))
      hurried.forget(draft.text)
    },
  }
}

const DRAFT = 'draft'
const both = ['conversations', 'summaries'] as const
const names = [...both, 'draft'] as const

type Stores = (name: (typeof names)[number]) => IDBObjectStore
type Within = <T>(mode: IDBTransactionMode, work: (store: Stores) => Promise<T>) => Promise<T>

async function readFrom(store: Stores, id: string): Promise<StoredConversation | undefined> {
  return storedConversation.safeParse(await requestResult(store('conversations').get(id))).data
}

/**
 * The stored conversation if another window has stored it since; checks the summary first, so that images are read
 * only then.
 */
async function newerThan({ id, revision }: StoredConversation, store: Stores): Promise<StoredConversation | undefined> {
  const summary: Summary | undefined = await requestResult(store('summaries').get(id))
  return summary && (summary.revision ?? '') !== revision ? readFrom(store, id) : undefined
}

/**
 * A connection opened on demand. After `close` it still serves late calls, such as the end of an answer, and closes
 * after them.
 */
function createConnection(name: string): Readonly<{ within: Within; close: () => void }> {
  let opened: Promise<IDBDatabase> | undefined
  let running = 0
  let isLeft = false
  const release = () => {
    void opened?.then((database) => database.close()).catch(() => undefined)
    opened = undefined
  }
  const releaseIfLeft = () => {
    if (isLeft && running === 0) release()
  }
  return {
    async within(mode, work) {
      running += 1
      try {
        // Another window deletes the database when the user logs out there.
        opened ??= openDatabase(name, release)
        const transaction = (await opened).transaction(names, mode)
        const result = await work((store) => transaction.objectStore(store))
        if (mode === 'readwrite') await commit(transaction)
        return result
      } catch (error) {
        release()
        throw error
      } finally {
        running -= 1
        releaseIfLeft()
      }
    },
    close() {
      isLeft = true
      releaseIfLeft()
    },
  }
}

/** Opens or creates the database. Summaries are separate from conversations, which may contain images. */
async function openDatabase(name: string, onUnwanted: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const store of both) request.result.createObjectStore(store, { keyPath: 'id' })
    request.result.createObjectStore(DRAFT)
  }
  const database = await requestResult(request)
  database.onversionchange = onUnwanted
  return database
}

const newestFirst = (all: readonly Summary[]): readonly Summary[] =>
  all.toSorted((one, other) => other.changedAt - one.changedAt)

/** The conversations to delete to make space for the one just saved. */
function overLimit(all: readonly Summary[], saved: string): readonly string[] {
  let characters = 0
  return all
    .filter(({ size }, index) => {
      characters += size
      return index >= maxStored.conversations || characters > maxStored.characters
    })
    .map(({ id }) => id)
    .filter((id) => id !== saved)
}

const requestResult = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Commits a transaction explicitly, so that it also completes while the page is being closed. */
const commit = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.commit()
  })

/** Other windows of this browser with the same store. */
type OtherWindows = Readonly<{
  report: (id: string) => void
  watch: (onStored: (id: string) => void) => () => void
}>

/** Identifies this window, so that it ignores its own messages. */
const windowId = randomId()

/** Notifies other windows of stored items and listens to them; `name` is the shared channel. */
const otherWindows = (name: string): OtherWindows => ({
  report(id) {
    // A channel per message, so that late stores, as the page is being left, are also reported.
    const channel = new BroadcastChannel(name)
    channel.postMessage({ id, from: windowId })
    channel.close()
  },
  watch(onStored) {
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }: MessageEvent<{ id: string; from: string }>) => {
      if (data.from !== windowId) onStored(data.id)
    }
    return () => channel.close()
  },
})
