import type { Run } from '../../../../shared/api/channel-runs.ts'
import { dataOf } from '../../../support/client.ts'
import type { World } from '../../../support/world.ts'

/** The runs over all channels, as the console shows them. */
export const runsOf = async (world: World): Promise<Run[]> => dataOf(await world.admin.get('/api/channel/runs'))

/** The last run of a kind; throws if there was none. */
export async function runOf(world: World, kind: Run['kind']): Promise<Run> {
  const found = (await runsOf(world)).find((run) => run.kind === kind)
  if (!found) throw new Error(`there was no run of ${kind}`)
  return found
}

/** The last run of a kind; waits until it has ended. */
export async function runOver(world: World, kind: Run['kind']): Promise<Run> {
  await until(async () => (await runOf(world, kind)).ended_at > 0)
  return runOf(world, kind)
}

/** Polls until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2000; turn += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('it never came about')
}
