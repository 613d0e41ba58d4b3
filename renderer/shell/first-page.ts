import { createSharedValue } from '../api/shared-value.ts'

/** Records that a page's code has loaded. */
export function notePage(): void {
  if (!hasCome.get()) hasCome.set(true)
}

/** Whether the first page's code has loaded; deferrable code waits for it. */
export const useHasPage = (): boolean => hasCome.use()

const hasCome = createSharedValue(false)
