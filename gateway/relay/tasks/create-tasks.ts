import { createFairQueue } from '../../base/fair-queue.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Ledger } from '../../billing/ledger.ts'
import { pricingDefaults } from '../../settings/pricing-defaults/index.ts'
import type { Settings } from '../../settings/settings.ts'
import type { SharedState } from '../../shared-state/shared-state.ts'
import { createImageLinks } from './image-links.ts'
import type { TaskDeps } from './task-deps.ts'
import { createTaskPolls, type TaskPolls, type TaskPollsDeps } from './task-polls.ts'

/** The tasks' dependencies from the relay; the others are created here. */
type CreateTasksDeps = Omit<TaskDeps, 'links' | 'polls' | 'imageQueue' | 'refusedRows'> &
  Pick<TaskPollsDeps, 'jobs' | 'everyMs'> &
  Readonly<{ vault: Pick<Vault, 'sign'>; settings: Settings; ledger: Ledger; shared: Pick<SharedState, 'rates'> }>

/** Max images of drawings fetched over channels concurrently, and waiting; one account may have half of either. */
const CONCURRENT_IMAGES = 8
const MAX_WAITING_IMAGES = 128

/** Rows of refused drawings that an account may add (docs/reference/tasks.md#drawings). */
const REFUSED_ROWS = { name: 'refused drawings', limit: 100, windowSeconds: 3600 }

/** Default prices of tasks (docs/reference/tasks.md#prices). */
export const taskPrices: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(pricingDefaults.ModelPrice).filter(([model]) => /^(mj_|suno_|swap_face$)/.test(model)),
)

/**
 * Creates the dependencies of requests for drawings and music, and the jobs that follow tasks, which `polls.stop` ends.
 */
export function createTasks(deps: CreateTasksDeps): Readonly<{ tasks: TaskDeps; polls: TaskPolls }> {
  const links = createImageLinks(deps.vault, deps.settings, deps.clock)
  const polls = createTaskPolls(deps)
  const imageQueue = createFairQueue(CONCURRENT_IMAGES, MAX_WAITING_IMAGES)
  const refusedRows = deps.shared.rates.window(REFUSED_ROWS)
  return { tasks: { ...deps, links, polls, imageQueue, refusedRows }, polls }
}
