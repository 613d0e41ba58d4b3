import { createSharedValue } from '../api/shared-value.ts'

/** Notes that the code of a page has come. */
export function notePage(): void {
  if (!hasCome.get()) hasCome.set(true)
}

/** Whether the first page's code has come: what can wait is not fetched beside it. */
export const useHasPage = (): boolean => hasCome.use()

const hasCome = createSharedValue(false)
