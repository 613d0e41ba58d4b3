import type { Locale } from '../../shared/messages/format.ts'
import { letRootIn, type RootAccess, type RootWay, type WayBack } from '../accounts/recovery/account-recovery.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { Notice } from '../notify/notice.ts'
import type { NoticeReceiver, Notices } from '../notify/notices.ts'
import type { RelayRoutes } from '../relay/routes.ts'
import type { Pools } from '../relay/upstream/connection-pools.ts'
import type { Settings } from '../settings/settings.ts'
import { shownBy } from '../settings/shown-quota.ts'
import type { Sharing } from '../share/sharing.ts'
import { hourOf } from '../store/log/usage-hours.ts'
import { usageReadings } from '../store/log/usage-readings.ts'
import type { Reader } from '../store/sqlite/reader.ts'

/** What a program that embeds a gateway shows of it and does with it, beside its addresses. */
export interface HostApi {
  /** What all accounts together have asked for since some hour, in unix seconds, and what it cost, in words. */
  usageSince(hour: number): Promise<Readonly<{ calls: number; errors: number; cost: string }>>
  /** Whether new requests are refused; what runs ends as ever, and a new start begins without a pause. */
  isPaused(): boolean
  pause(isOn: boolean): void
  /** Whether the gateway is shared on the local network, or is to be. */
  isShared(): boolean
  /** Shares it as it was shared last, or ends that with every connection; refuses as the console's page does. */
  share(isOn: boolean, locale: Locale): Promise<void>
  /** Lets root in who is locked out: only for a person at this machine, who owns the data folder. */
  letIn(way: RootWay): Promise<RootAccess>
  /** To be called when the machine has slept: connections that were open before are likely to be dead. */
  woke(): void
}

type HostApiDeps = Readonly<{
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  clock: Clock
  settings: Pick<Settings, 'get'>
  pools: Pick<Pools, 'renew'>
  sharing: Pick<Sharing, 'isOn' | 'switchAtDesk'>
  wayBack: WayBack
}>

/** Puts the shell together over a relay that runs. */
export function createHostApi(deps: HostApiDeps, routes: Pick<RelayRoutes, 'pause' | 'isPaused'>): HostApi {
  const { sharing } = deps
  const show = shownBy(deps.settings, 2)
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
    share: (isOn, locale) => sharing.switchAtDesk(isOn, locale),
    letIn: (way) => letRootIn(deps.wayBack, way),
    woke: () => deps.pools.renew(),
  }
}

/** Told of each notice to an account, beside its mail or webhook. Must not throw. */
export type OnNotice = (user: NoticeReceiver, notice: Notice) => void

/** Ways to tell somebody of which an embedding program hears as well. */
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
