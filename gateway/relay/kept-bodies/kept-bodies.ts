import { type Clock, unixSeconds } from '../../base/clock.ts'
import { type Job, type Jobs, nothingDue } from '../../base/jobs.ts'
import type { Logger } from '../../base/log/logger.ts'
import { breathe, inSteps } from '../../base/pace.ts'
import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import { type KeptSum, keptBodyStore } from '../../store/requests/kept-bodies.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Caller } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import type { CopyBudget } from './body-copy.ts'
import { createBodyWriter } from './body-writer.ts'
import { BodyCopy } from './call-copy.ts'
import { type KeptCall, openedCall } from './sealed-bodies.ts'

/**
 * Bodies of calls, stored if requested by a token or a channel, encrypted in the database (docs/reference/bodies.md).
 */
export interface KeptBodies {
  /** Copies the bodies of a call from now on if its token or its channel requests it; else returns undefined. */
  begin(context: RequestContext, caller: Caller, channel?: ActiveChannel): BodyCopy | undefined
  /** The owner of the call; undefined if nothing of it is stored. */
  ownerOf(requestId: string): Promise<number | undefined>
  /** Undefined if nothing is stored, or if another data key encrypted it. */
  find(requestId: string): Promise<KeptCall | undefined>
  remove(requestId: string): Promise<void>
  /** Deletes everything; returns the number of calls affected. */
  removeAll(): Promise<number>
  /** Deletes what is older than `before` (unix seconds). */
  removeBefore(before: number, signal: AbortSignal): Promise<void>
  report(signal: AbortSignal): Promise<KeptSum>
  stop(): Promise<void>
}

type KeptBodiesDeps = Readonly<{
  db: Db
  reader: Pick<Reader, 'until'>
  vault: Vault
  settings: Pick<Settings, 'get'>
  clock: Clock
  jobs: Jobs
  log: Logger
}>

const MAX_STORED = 64 * 1024 * 1024
const CLEANUP_MS = 600_000
const MAX_AT_ONCE = 200

/** Bodies are only in memory until they are written. */
export function createKeptBodies(deps: KeptBodiesDeps): KeptBodies {
  const { db, reader, settings, clock, jobs, vault, log } = deps
  const store = keptBodyStore(db)
  const memory: CopyBudget = { stored: 0, max: MAX_STORED }
  const sum = (signal: AbortSignal) => keptBodyStore(reader.until({ gone: signal })).sum()
  const writer = createBodyWriter({ ...deps, store, budget: memory, sum: async (signal) => (await sum(signal)).bytes })
  const since = () => unixSeconds(clock) - settings.get('KeepBodiesHours') * 3600
  const rowOf = async (requestId: string) => {
    await writer.flush()
    return store.one(requestId, since())
  }
  const removeUntil = async (until: number, signal?: AbortSignal) => {
    await writer.flush()
    const n = await inSteps({ clock, max: MAX_AT_ONCE, signal }, (limit) => store.removeOld(until, limit))
    writer.recount()
    return n
  }
  const expiry = jobs.begin(expiring({ store, writer, clock, since }))
  return {
    begin(context, caller, channel) {
      if (!settings.get('KeepBodiesEnabled')) return undefined
      if (!caller.keepsBodies && !channel?.setting.keep_bodies) return undefined
      return new BodyCopy(
        { writer, budget: memory, clock, maxSize: settings.get('KeepBodiesLargest') * 1024 },
        context,
        caller,
      )
    },
    ownerOf: async (requestId) => (await rowOf(requestId))?.user_id,
    async find(requestId) {
      const row = await rowOf(requestId)
      try {
        return row && (await openedCall(vault, row))
      } catch (error) {
        if (!(error instanceof UnreadableSecret)) throw error
        log.warn('stored bodies cannot be opened', { requestId, error })
        return undefined
      }
    },
    async remove(requestId) {
      await writer.flush()
      await store.remove(requestId)
      writer.recount()
    },
    removeAll: () => removeUntil(Number.MAX_SAFE_INTEGER),
    removeBefore: async (before, signal) => void (await removeUntil(before - 1, signal)),
    async report(signal) {
      await writer.flush()
      return sum(signal)
    },
    async stop() {
      await expiry.stop()
      await writer.stop()
    },
  }
}

type ExpiringDeps = Readonly<{
  store: ReturnType<typeof keptBodyStore>
  writer: ReturnType<typeof createBodyWriter>
  clock: Clock
  since: () => number
}>

/** Deletes expired bodies, those of deleted accounts, and the oldest over the size limit. */
const expiring = ({ store, writer, clock, since }: ExpiringDeps): Job => ({
  name: 'kept-bodies',
  everyMs: CLEANUP_MS,
  removesByAge: true,
  async work({ signal }) {
    const pace = { clock, max: MAX_AT_ONCE, signal }
    let n = await inSteps(pace, (limit) => store.removeOld(since(), limit))
    for (let owner = await store.ownerAfter(0); owner && !signal.aborted; owner = await store.ownerAfter(owner.id)) {
      const { id, isGone } = owner
      if (isGone) n += await inSteps(pace, (limit) => store.removeOf(id, limit))
      await breathe()
    }
    writer.recount()
    n += await writer.freeSpace(signal)
    return n === 0 ? nothingDue : { key: 'job.removed', params: { n } }
  },
})
