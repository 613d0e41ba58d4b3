import type { MaybePromise } from '../base/maybe-promise.ts'
import type { OptionTable } from '../store/options.ts'

/** The table of options, of which others hear what is saved, once it is: `tell` is given the keys. */
export const toldToOthers = (
  { load, save }: OptionTable,
  publish: (keys: readonly string[]) => MaybePromise<void>,
): OptionTable => ({
  load,
  async save(writes, author) {
    await save(writes, author)
    await publish(writes.map(({ key }) => key))
  },
})
