import { conversationsOf } from '../../../api/kept-conversations.ts'
import { randomId } from '../../../api/random-id.ts'
import { currentUserId, hasSessionEnded } from '../../../api/session.ts'
import type { Draft } from '../use-draft.ts'
import { hurriedDraft } from './hurried-draft.ts'
import { type KeptConversation, keptConversation, keptDraft, sizeOf, titleOf } from './kept-conversation.ts'
import { merged } from './merge.ts'

/** A conversation as it stands in the list; `changedAt` in unix milliseconds. */
export type Summary = Readonly<{ id: string; title: string; changedAt: number; size: number; revision?: string }>

/** How many conversations are kept, and how many characters together (docs/reference/screens.md#playground). */
export const maxKept = { conversations: 100, characters: 200_000_000 } as const

/** The conversations of one account in this browser. What cannot be done there (no room, no permission) throws. */
export type ConversationStore = Readonly<{
  /** The newest first. */
  list: () => Promise<readonly Summary[]>
  read: (id: string) => Promise<KeptConversation | undefined>
  /**
   * Keeps it and returns it as it is kept: where another window has kept it since `base`, with what was said there. The
   * oldest that there is no room for go. Does nothing once the account has logged out.
   */
  save: (conversation: KeptConversation, base?: KeptConversation) => Promise<KeptConversation>
  /** Calls with the id of a conversation that another window has kept; returns how to end that. */
  watch: (onKept: (id: string) => void) => () => void
  remove: (id: string) => Promise<void>
  readDraft: () => Promise<Draft | undefined>
  saveDraft: (draft: Draft) => Promise<void>
  close: () => void
}>

/** Opens what is kept for an account; nothing is created before something is asked of it. */
export function createConversationStore(userId: number): ConversationStore {
  const { within, close } = createConnection(conversationsOf(userId))
  const windows = otherWindows(conversationsOf(userId))
  const hurried = hurriedDraft(userId)
  // A session that ended by itself is taken up again; what was said until then is kept.
  const isGone = () => currentUserId() !== userId && !hasSessionEnded()
  return {
    close,
    list: () => within('readonly', async (store) => newestFirst(await answered(store('summaries').getAll()))),
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
        const all = newestFirst(await answered(store('summaries').getAll()))
        for (const old of tooMuch(all, id)) for (const name of both) store(name).delete(old)
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
      const draft = await within('readonly', async (store) => answered(store('draft').get(DRAFT)))
      return hurried.over(keptDraft.safeParse(draft).data)
    },
    async saveDraft(draft) {
      if (isGone()) return
      hurried.keep(draft.text)
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

async function readFrom(store: Stores, id: string): Promise<KeptConversation | undefined> {
  return keptConversation.safeParse(await answered(store('conversations').get(id))).data
}

/** The conversation where somebody else has kept it since; the list knows, so that pictures are read only then. */
async function newerThan({ id, revision }: KeptConversation, store: Stores): Promise<KeptConversation | undefined> {
  const summary: Summary | undefined = await answered(store('summaries').get(id))
  return summary && (summary.revision ?? '') !== revision ? readFrom(store, id) : undefined
}

/**
 * A connection that opens when it is needed. After `close` it still serves what comes late, such as the end of an answer,
 * and closes behind it.
 */
function createConnection(name: string): Readonly<{ within: Within; close: () => void }> {
  let opened: Promise<IDBDatabase> | undefined
  let underWay = 0
  let isLeft = false
  const release = () => {
    void opened?.then((database) => database.close()).catch(() => undefined)
    opened = undefined
  }
  const releaseIfLeft = () => {
    if (isLeft && underWay === 0) release()
  }
  return {
    async within(mode, work) {
      underWay += 1
      try {
        // Another page removes it when the person logs out there.
        opened ??= openDatabase(name, release)
        const transaction = (await opened).transaction(names, mode)
        const result = await work((store) => transaction.objectStore(store))
        if (mode === 'readwrite') await committed(transaction)
        return result
      } catch (error) {
        release()
        throw error
      } finally {
        underWay -= 1
        releaseIfLeft()
      }
    },
    close() {
      isLeft = true
      releaseIfLeft()
    },
  }
}

/** The list apart from the bodies, which may hold pictures. */
async function openDatabase(name: string, onUnwanted: () => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const store of both) request.result.createObjectStore(store, { keyPath: 'id' })
    request.result.createObjectStore(DRAFT)
  }
  const database = await answered(request)
  database.onversionchange = onUnwanted
  return database
}

const newestFirst = (all: readonly Summary[]): readonly Summary[] =>
  all.toSorted((one, other) => other.changedAt - one.changedAt)

/** What goes, so that what was saved just now has room. */
function tooMuch(all: readonly Summary[], saved: string): readonly string[] {
  let characters = 0
  return all
    .filter(({ size }, place) => {
      characters += size
      return place >= maxKept.conversations || characters > maxKept.characters
    })
    .map(({ id }) => id)
    .filter((id) => id !== saved)
}

const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/** Ends it at once, so that it is done also when the page is being closed. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
    transaction.commit()
  })

/** The other windows of this browser that show the same kept things. */
type OtherWindows = Readonly<{
  report: (id: string) => void
  watch: (onTold: (id: string) => void) => () => void
}>

/** Tells windows apart, so that none listens to itself. */
const self = randomId()

/** Tells the other windows which thing was kept, and listens to them; `name` is what they have in common. */
const otherWindows = (name: string): OtherWindows => ({
  report(id) {
    // One for each message: what is kept late, as the page is being left, is told as well.
    const channel = new BroadcastChannel(name)
    channel.postMessage({ id, from: self })
    channel.close()
  },
  watch(onTold) {
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }: MessageEvent<{ id: string; from: string }>) => {
      if (data.from !== self) onTold(data.id)
    }
    return () => channel.close()
  },
})
