import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import { lruClock, upTo } from '../base/lru.ts'
import type { Settings } from '../settings/settings.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Db } from '../store/sqlite/database.ts'
import { QUOTA_EXCEED } from './notice.ts'
import type { Notices } from './notices.ts'

type LowBalanceDeps = Readonly<{
  db: Db
  notices: Pick<Notices, 'notify'>
  settings: Pick<Settings, 'get' | 'linkAddress'>
  clock: Clock
  log: Logger
  show: (quota: number) => string
}>

const MAX_REMEMBERED = 10_000
/** An account that could not be notified, because it has no address, is checked again after this. */
const CHECK_AGAIN_MS = 600_000

/**
 * Reminds accounts that their balance is low (docs/reference/accounts.md#notices). Called after every charge of such an
 * account, so it returns immediately: an account checked recently costs one lookup in memory, and other work runs after
 * the response is sent.
 */
export function createLowBalance({ db, notices, settings, clock, log, show }: LowBalanceDeps) {
  const recentlyChecked = new LRUCache<number, true>({ ...upTo(MAX_REMEMBERED), ...lruClock(() => clock.monotonic()) })
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
      if (until === 0) recentlyChecked.delete(userId)
      if (until) recentlyChecked.set(userId, true, { ttl: Math.max(1, until * 1000 - clock.now()) })
    } catch (error) {
      log.error('a reminder could not be made', { userId, error })
    }
  }
  return (userId: number, left: number): void => {
    if (recentlyChecked.get(userId)) return
    recentlyChecked.set(userId, true, { ttl: CHECK_AGAIN_MS })
    setImmediate(remind, userId, left)
  }
}
