import { z } from 'zod'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { randomSecret } from '../base/ids.ts'
import { parsed } from '../base/json/json.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { type PendingNotice, pendingNoticeStore } from '../store/accounts/pending-notices.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Letter } from './notice.ts'
import type { Webhook } from './webhook.ts'

type StoredLettersDeps = Readonly<{ db: Db; vault: Vault; clock: Clock; log: Logger }>

/** A letter left by an earlier process: its next attempt, when that is due, and when the letter was created. */
type LeftLetter = Readonly<{ addressed: Addressed; tries: number; dueMs: number; createdAt: number }>

/**
 * Stores undelivered letters in the database, sealed (docs/reference/limits.md#notices). No method rejects: a full disk
 * must not prevent notices from being sent.
 */
export interface StoredLetters {
  /** Stores a letter before its first attempt, and assigns its id: empty if it could not be stored. */
  keep(letter: Omit<Addressed, 'id'>): Promise<Addressed>
  /**
   * Records an attempt before it is made; `tries` includes it. Returns false if another node, which started later and
   * took the letter up, has made it.
   */
  begin(id: string, tries: number): Promise<boolean>
  wait(id: string, dueSeconds: number): Promise<void>
  forget(id: string): Promise<void>
  /** Returns what was left when the last process ended. Deletes letters that can no longer be read. */
  takeUp(): Promise<LeftLetter[]>
}

const content = z.object({
  way: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('mail'), to: z.string() }),
    z.object({ kind: z.literal('webhook'), webhook: z.object({ url: z.string(), secret: z.string() }) }),
  ]),
  letter: z.object({
    type: z.string(),
    mail: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
    json: z.string(),
  }),
})

const sealContext = (id: string): string => `pending_notices|${id}|letter`

export function createStoredLetters({ db, vault, clock, log }: StoredLettersDeps): StoredLetters {
  const store = pendingNoticeStore(db)
  const logFailure = (error: unknown) => log.warn('a notice on its way could not be written down', { error })
  const opened = ({ id, user_id: userId, letter }: PendingNotice, username: string): Addressed | undefined => {
    try {
      return { id, userId, username, ...content.parse(parsed(vault.open(letter, sealContext(id)))) }
    } catch (error) {
      // The data key was changed, or another release wrote it; neither must prevent the gateway from starting.
      log.warn('a notice that was on its way can no longer be read', { userId, error })
      return undefined
    }
  }
  const forget = async (id: string) => void (await store.remove(id).catch(logFailure))
  return {
    async keep({ userId, username, way, letter }) {
      const id = randomSecret()
      const now = unixSeconds(clock)
      const sealed = vault.seal(JSON.stringify({ way, letter }), sealContext(id))
      const row = { id, user_id: userId, letter: sealed, tries: 0, due_at: now, created_at: now }
      const isStored = await store.add(row).then(
        () => true,
        (error: unknown) => {
          logFailure(error)
          return false
        },
      )
      return { id: isStored ? id : '', userId, username, way, letter }
    },
    async begin(id, tries) {
      if (id === '') return true
      try {
        return await store.begin(id, tries)
      } catch (error) {
        logFailure(error)
        return true
      }
    },
    wait: async (id, dueSeconds) => void (await store.wait(id, dueSeconds).catch(logFailure)),
    forget,
    async takeUp() {
      const rows = await store.takeUp().catch((error: unknown) => {
        log.warn('notices that were on their way could not be read', { error })
        return []
      })
      const left: LeftLetter[] = []
      for (const { username, ...row } of rows) {
        const addressed = opened(row, username)
        if (!addressed) await forget(row.id)
        else left.push({ addressed, tries: row.tries + 1, dueMs: row.due_at * 1000, createdAt: row.created_at })
      }
      return left
    },
  }
}

/** A letter with its destination and receiver, stored under `id`; the id is empty if it could not be stored. */
export type Addressed = Readonly<{ id: string; userId: number; username: string; way: NoticeChannel; letter: Letter }>

export type NoticeChannel = Readonly<{ kind: 'mail'; to: string }> | Readonly<{ kind: 'webhook'; webhook: Webhook }>
