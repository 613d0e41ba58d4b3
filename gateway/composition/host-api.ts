import type { Locale } from '../../shared/messages/format.ts'
import {
  type AccountRecovery,
  letRootIn,
  type RecoveryMethod,
  type RootAccess,
} from '../accounts/recovery/account-recovery.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Notice } from '../notify/notice.ts'
import type { NoticeReceiver, Notices } from '../notify/notices.ts'
import type { RelayRoutes } from '../relay/routes.ts'
import type { Pools } from '../relay/upstream/connection-pools.ts'
import { quotaFormatter } from '../settings/quota-format.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sharing } from '../share/sharing.ts'
import { hourOf } from '../store/log/usage-hours.ts'
import { usageReadings } from '../store/log/usage-readings.ts'
import type { Reader } from '../store/sqlite/reader.ts'

export interface HostApi {
  /** Usage of all accounts since an hour in unix seconds; `cost` is formatted. */
  usageSince(hour: number): Promise<Readonly<{ calls: number; errors: number; cost: string }>>
  /** Whether new requests are refused; active ones continue, and a restart ends the pause. */
  isPaused(): boolean
  pause(isOn: boolean): void
  /** Whether sharing on the local network is turned on. */
  isShared(): boolean
  /**
   * Shares the gateway with the last settings, or stops sharing and closes every connection; throws in the same cases
   * as the console's page.
   */
  share(isOn: boolean, locale: Locale): Promise<void>
  /** Lets a locked-out root in: only for a person at this machine, who owns the data folder. */
  letIn(way: RecoveryMethod): Promise<RootAccess>
  /** Call after the machine has slept: connections opened before are probably dead. */
  woke(): void
}

type HostApiDeps = Readonly<{
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  clock: Clock
  settings: Pick<Settings, 'get'>
  pools: Pick<Pools, 'renew'>
  sharing: Pick<Sharing, 'isOn' | 'switchFromHost'>
  accountRecovery: AccountRecovery
}>

export function createHostApi(deps: HostApiDeps, routes: Pick<RelayRoutes, 'pause' | 'isPaused'>): HostApi {
  const { sharing } = deps
  const show = quotaFormatter(deps.settings, 2)
  return {
    async usageSince(hour) {
      await deps.ledger.flush()
      const range = { from: hourOf(hour), to: hourOf(unixSeconds(deps.clock)) }
      const { count, errors, quota } = await usageReadings(deps.reader.until()).total('all', '', range)
      return { calls: count + errors, errors, cost: show(quota) }
    },
    isPaused: () => routes.isPaused(),
    pause: (isOn) => routes.pause(isOn),
    isShared: () => sharing.isOn(),
    share: (isOn, locale) => sharing.switchFromHost(isOn, locale),
    letIn: (method) => letRootIn(deps.accountRecovery, method),
    woke: () => deps.pools.renew(),
  }
}

/** Called for each notice to an account, in addition to its mail or webhook. Must not throw. */
export type OnNotice = (user: NoticeReceiver, notice: Notice) => void

export const withNoticeListener = (notices: Notices, onNotice: OnNotice | undefined): Notices =>
  onNotice === undefined
    ? notices
    : {
        ...notices,
        notify(user, notice) {
          onNotice(user, notice)
          return notices.notify(user, notice)
        },
      }
