import { test } from '@playwright/test'

/**
 * Skips a browser test, or all of a file, if a condition holds, and prints the reason, which Playwright's list does
 * not.
 */
export function skipWhere(isSo: boolean, why: string): void {
  if (isSo) console.log(`skipped: ${why}`)
  test.skip(isSo, why)
}
