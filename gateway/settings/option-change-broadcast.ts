import type { MaybePromise } from '../base/maybe-promise.ts'
import type { OptionTable } from '../store/options.ts'

/** Wraps the options table so that the keys of saved options are published to other nodes. */
export const broadcastChanges = (
  { load, save }: OptionTable,
  publish: (keys: readonly string[]) => MaybePromise<void>,
): OptionTable => ({
  load,
  async save(writes, author, read) {
    const isSaved = await save(writes, author, read)
    if (isSaved) await publish(writes.map(({ key }) => key))
    return isSaved
  },
})
