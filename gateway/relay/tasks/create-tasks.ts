import { createFairTurns } from '../../base/fair-turns.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Ledger } from '../../billing/ledger.ts'
import { pricingDefaults } from '../../settings/pricing-defaults/index.ts'
import type { Settings } from '../../settings/settings.ts'
import { createImageLinks } from './image-links.ts'
import type { TaskDeps } from './task-deps.ts'
import { createTaskPolls, type TaskPolls, type TaskPollsDeps } from './task-polls.ts'

/** What tasks take of the relay; the rest is made here. */
type CreateTasksDeps = Omit<TaskDeps, 'links' | 'polls' | 'imageTurns'> &
  Pick<TaskPollsDeps, 'jobs' | 'everyMs'> &
  Readonly<{ vault: Pick<Vault, 'sign'>; settings: Settings; ledger: Ledger }>

/** Images of drawings that are fetched over channels at once, and that wait; an account that is the only one has half of either. */
const IMAGES_AT_ONCE = 8
const IMAGES_WAITING = 128

/** What a task costs where the operator's prices say nothing of it (docs/reference/tasks.md#prices). */
export const taskPrices: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(pricingDefaults.ModelPrice).filter(([model]) => /^(mj_|suno_|swap_face$)/.test(model)),
)

/** Drawings and music: what answers them, and the jobs that follow them, which `polls.stop` ends. */
export function createTasks(deps: CreateTasksDeps): Readonly<{ tasks: TaskDeps; polls: TaskPolls }> {
  const links = createImageLinks(deps.vault, deps.settings, deps.clock)
  const polls = createTaskPolls(deps)
  return { tasks: { ...deps, links, polls, imageTurns: createFairTurns(IMAGES_AT_ONCE, IMAGES_WAITING) }, polls }
}
