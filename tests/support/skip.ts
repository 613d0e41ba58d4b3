import { test } from '@playwright/test'

/** Leaves out a browser test, or all of a file, where something is so, and prints why: Playwright's list does not. */
export function skipWhere(isSo: boolean, why: string): void {
  if (isSo) console.log(`skipped: ${why}`)
  test.skip(isSo, why)
}
