import type { OptionWrite } from '../../gateway/store/options.ts'

/** The table of settings in memory. */
export function optionRows(values: Readonly<Record<string, string>> = {}) {
  const table = new Map(Object.entries(values))
  return {
    load: async () => [...table].map(([key, value]) => ({ key, value })),
    async save(writes: readonly OptionWrite[]) {
      for (const { key, value } of writes) table.set(key, value)
      return true
    },
  }
}
