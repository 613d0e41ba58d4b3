import { type Clock, unixSeconds } from '../../base/clock.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { deletionDelayS, type Jobs } from '../../base/jobs.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { breathe, inSteps } from '../../base/pace.ts'
import { countWithin } from '../../base/row-steps.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import { storedResponseStore } from '../../store/requests/stored-responses.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import type { StoredResponseRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'

/**
 * Where a vendor stores a response: the channel, and the key whose account has it (empty if the channel has only one).
 */
export type ResponseLocation = Readonly<{ channelId: number; keyId: string }>

/** The location of a response or an item that a channel's vendor stores, and the parameter that names it. */
export type ResponseOwner = ResponseLocation & Readonly<{ id: string; param: string }>

/** The location of a response: at a vendor, or here as JSON text. */
type StoredResponse = ResponseLocation | Readonly<{ content: string }>

/**
 * Stored responses of `/v1/responses`, each of one owner, for `general_setting.stored_response_hours`. Content is
 * encrypted in the database.
 */
export interface StoredResponses {
  isOn(): boolean
  find(owner: RowOwner, id: string): Promise<StoredResponse | undefined>
  /**
   * Stores a response; it can be found immediately and is written soon. Never throws; stores nothing if the id or the
   * content is too long, or the queue or the disk is full.
   */
  keep(owner: RowOwner, id: string, kept: StoredResponse): void
  /**
   * Resolves once every node can find what has been stored so far; the last byte of a response waits for it.
   * Synchronous if they already can. Never rejects.
   */
  found(): MaybePromise<void>
  /** Extends the expiry of responses that another one continues. Never throws. */
  prolong(owner: RowOwner, ids: readonly string[]): void
  remove(owner: RowOwner, id: string): Promise<void>
  stop(): Promise<void>
}

export type StoredDeps = Readonly<{
  db: Db
  vault: Vault
  settings: Pick<Settings, 'get'>
  clock: Clock
  jobs: Jobs
  log: Logger
  /** The nodes that use the database, this one included. */
  livingNodes: () => number
  /** Whether there is disk space for data that callers are not charged for. */
  hasDiskSpace: () => boolean
}>

/** Bytes of the longest content that is stored. */
export const MAX_CONTENT_LENGTH = 1024 * 1024
/** Characters of the longest id that is stored. */
const MAX_ID_LENGTH = 256
/** Responses are written in batches: a write costs the disk the same for one or many. */
const WRITE_MS = 200
const MAX_PER_WRITE = 100
/** Limits of pending rows in memory while the disk is blocked; further ones are not stored. */
const MAX_WAITING = 2000
const MAX_WAITING_CONTENT = 64 * MAX_CONTENT_LENGTH
const CLEANUP_MS = 600_000

/** Content is in memory only until it is written to the database. */
export function createStoredResponses({
  db,
  vault,
  settings,
  clock,
  jobs,
  log,
  livingNodes,
  hasDiskSpace,
}: StoredDeps): StoredResponses {
  const store = storedResponseStore(db)
  const lifetime = () => settings.get('general_setting.stored_response_hours') * 3600
  const since = () => unixSeconds(clock) - lifetime()
  const waiting = createWaiting()
  const prolonged: Readonly<{ owner: RowOwner; ids: readonly string[] }>[] = []
  const write = async () => {
    while (waiting.size > 0) {
      const rows = waiting.first(MAX_PER_WRITE)
      try {
        await store.add(rows.map((row) => (row.content === '' ? row : { ...row, content: sealed(vault, row) })))
      } catch (error) {
        log.warn('responses could not be stored', { count: rows.length, error })
      }
      waiting.drop(rows)
      await yieldToOthers()
    }
    // The extended rows may have been pending themselves.
    for (const { owner, ids } of prolonged.splice(0))
      await store.prolong(owner, ids, unixSeconds(clock)).catch((error: unknown) => {
        log.warn('responses could not be prolonged', { count: ids.length, error })
      })
  }
  let writing: Promise<void> = Promise.resolve()
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  const writer = createSoon(WRITE_MS, () => void flush())
  const expiry = jobs.begin({
    name: 'stored-responses',
    everyMs: CLEANUP_MS,
    removesByAge: true,
    work: async ({ signal }) => ({
      key: 'job.removed',
      params: { n: await removeExpired({ store, clock, signal }, since() - deletionDelayS(lifetime())) },
    }),
  })
  return {
    isOn: () => settings.get('general_setting.stored_response_hours') > 0,
    async find(owner, id) {
      if (id.length > MAX_ID_LENGTH) return undefined
      const row = waiting.of(id)
      if (row) return isOf(owner, row) && row.created_at > since() ? responseOf(row) : undefined
      const found = await store.one(owner, id, since())
      if (!found) return undefined
      return responseOf(
        found.content === '' ? found : { ...found, content: vault.open(found.content, cipherContext(found.id)) },
      )
    },
    keep(owner, id, location) {
      const content = 'content' in location ? location.content : ''
      if (id.length > MAX_ID_LENGTH || Buffer.byteLength(content) > MAX_CONTENT_LENGTH || !waiting.takes(content))
        return
      if (!hasDiskSpace()) return log.warn('a response was not stored, because the disk is almost full')
      const { channelId: channel_id, keyId: key_id } = 'channelId' in location ? location : NOWHERE
      const { userId: user_id, tokenId: token_id } = owner
      waiting.add({ id, user_id, token_id, channel_id, key_id, content, created_at: unixSeconds(clock) })
      writer.call()
    },
    found: () => (livingNodes() > 1 && waiting.size > 0 ? flush() : undefined),
    prolong(owner, ids) {
      if (prolonged.length < MAX_WAITING) prolonged.push({ owner, ids })
      writer.call()
    },
    async remove(owner, id) {
      await flush()
      await store.remove(owner, id)
    },
    async stop() {
      writer.stop()
      await expiry.stop()
      await flush()
    },
  }
}

const isOf = ({ userId, tokenId, isGuest }: RowOwner, { user_id, token_id }: StoredResponseRow): boolean =>
  user_id === userId && (!isGuest || token_id === tokenId)

const cipherContext = (id: string): string => `stored_responses|${id}|content`

const sealed = (vault: Vault, { id, content }: StoredResponseRow): string => vault.seal(content, cipherContext(id))

const NOWHERE: ResponseLocation = { channelId: 0, keyId: '' }

const responseOf = ({ channel_id, key_id, content }: StoredResponseRow): StoredResponse =>
  content === '' ? { channelId: channel_id, keyId: key_id } : { content }

function createWaiting() {
  const rows = new Map<string, StoredResponseRow>()
  let length = 0
  return {
    get size() {
      return rows.size
    },
    takes: (content: string) => rows.size < MAX_WAITING && length + content.length <= MAX_WAITING_CONTENT,
    of: (id: string) => rows.get(id),
    first(max: number) {
      const first = [...rows.values()].slice(0, max)
      return first.slice(
        0,
        countWithin(
          first.map(({ content }) => ({ bytes: content.length })),
          LARGE,
        ),
      )
    },
    add(row: StoredResponseRow) {
      if (rows.has(row.id)) return
      rows.set(row.id, row)
      length += row.content.length
    },
    drop(written: readonly StoredResponseRow[]) {
      for (const { id, content } of written) if (rows.delete(id)) length -= content.length
    },
  }
}

/** Creates a timer that runs `work` once, `waitMs` after the first of several calls. */
function createSoon(waitMs: number, work: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    call() {
      timer ??= setTimeout(() => {
        timer = undefined
        work()
      }, waitMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Rows deleted by one statement; their content is long. */
const MAX_AT_ONCE = 500
/** Accounts looked up before the database is released to others. */
const ACCOUNTS_AT_ONCE = 20

type ExpiryDeps = Readonly<{
  store: Pick<ReturnType<typeof storedResponseStore>, 'removeOld' | 'ownerAfter' | 'removeOf'>
  clock: Pick<Clock, 'monotonic'>
  /** Stops after the current step. */
  signal: AbortSignal
}>

/** Deletes what is older than `since` (unix seconds) and what belongs to deleted accounts, in small steps. */
export async function removeExpired({ store, clock, signal }: ExpiryDeps, since: number): Promise<number> {
  const stretch = { clock, max: MAX_AT_ONCE, signal }
  let removed = await inSteps(stretch, (limit) => store.removeOld(since, limit))
  let seen = 0
  let owner = await store.ownerAfter(Number.MIN_SAFE_INTEGER)
  while (owner && !signal.aborted) {
    const { id, isGone } = owner
    if (isGone) removed += await inSteps(stretch, (limit) => store.removeOf(id, limit))
    seen += 1
    if (seen % ACCOUNTS_AT_ONCE === 0) await breathe()
    owner = await store.ownerAfter(id)
  }
  return removed
}
