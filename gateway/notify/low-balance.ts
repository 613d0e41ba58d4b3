import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import { lruClock, upTo } from '../base/lru.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { userStore } from '../store/users.ts'
import { QUOTA_EXCEED } from './notice.ts'
import type { Notices } from './notices.ts'

type LowBalanceDeps = Readonly<{
  db: Db
  notices: Pick<Notices, 'notify'>
  settings: Pick<Settings, 'get' | 'linkAddress'>
  clock: Clock
  log: Logger
  /** A quota in words. */
  show: (quota: number) => string
}>

const MAX_REMEMBERED = 10_000
/** Who could not be told, for want of an address, is looked at again after this. */
const LOOK_AGAIN_MS = 600_000

/**
 * Reminds accounts that they have little left (docs/reference/accounts.md#notices). It is told after every charge of an
 * account that has, so it answers at once: who has been looked at lately costs one look-up in memory, and the rest waits
 * until the response has gone out.
 */
export function createLowBalance({ db, notices, settings, clock, log, show }: LowBalanceDeps) {
  const quiet = new LRUCache<number, true>({ ...upTo(MAX_REMEMBERED), ...lruClock(() => clock.monotonic()) })
  const remind = async (userId: number, left: number) => {
    try {
      const user = await userStore(db).byId(userId)
      if (!user) return
      const amount = show(left)
      const link = `${settings.linkAddress()}/topup`
      const until = await notices.notify(user, {
        type: QUOTA_EXCEED,
        subject: 'mail.quota_subject',
        body: ['mail.quota_body'],
        params: { site: settings.get('SystemName'), name: user.username, quota: amount, link },
        values: [amount, link],
      })
      if (until === 0) quiet.delete(userId)
      if (until) quiet.set(userId, true, { ttl: Math.max(1, until * 1000 - clock.now()) })
    } catch (error) {
      log.error('a reminder could not be made', { userId, error })
    }
  }
  return (userId: number, left: number): void => {
    if (quiet.get(userId)) return
    quiet.set(userId, true, { ttl: LOOK_AGAIN_MS })
    setImmediate(remind, userId, left)
  }
}
