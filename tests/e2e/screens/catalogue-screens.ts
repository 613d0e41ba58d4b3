import {
  comparePrices,
  comparePricesLater,
  openSchedule,
  openScheduled,
  refuseAddress,
  someScheduled,
} from '../catalogue-acts.ts'
import type { Screen } from './screen.ts'

const place = { page: 'catalogue', path: '/setting', at: 'busy', isSignedIn: true } as const

/** Price updates and scheduled prices in their states. */
export const catalogueScreens: readonly Screen[] = [
  { ...place, state: 'source', act: refuseAddress },
  { ...place, state: 'changes', act: comparePrices },
  { ...place, state: 'changes-later', act: comparePricesLater },
  { ...place, state: 'scheduled', act: openScheduled },
  { ...place, state: 'schedule', act: openSchedule },
  { ...place, state: 'scheduled-many', isLoadedAnew: true, prepare: someScheduled, act: openScheduled },
]
