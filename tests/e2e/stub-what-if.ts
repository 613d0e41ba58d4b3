import type { Page } from '@playwright/test'
import type { WhatIfChannel, WhatIfLoad, WhatIfReport } from '../../shared/api/what-if.ts'

const load = (attempts: number, share: number, failed: number, average_ms: number | null = 2340): WhatIfLoad => ({
  attempts,
  share,
  failed,
  average_ms,
  p50_ms: average_ms === null ? null : average_ms - 400,
  p95_ms: average_ms === null ? null : average_ms * 3,
  busiest_hour: Math.round(attempts / 9),
})
const standing = { status: 1, weight: 5, priority: 10 }
const plain = { now: standing, changed: standing, peak: 420, load: 'usual', evidence: 'enough' } as const
const channel = (channel_id: number, name: string, part: Partial<WhatIfChannel>): WhatIfChannel => {
  const was = part.was ?? load(0, 0, 0, null)
  return { channel_id, name, ...plain, was, unchanged: was, would: was, ...part }
}

/** A day of a busy gateway, with its main channel off. */
export const whatIfReport: WhatIfReport = {
  from: 1_795_181_400,
  to: 1_795_267_800,
  rows: 50_000,
  is_cut: true,
  calls: 51_288,
  refused: 214,
  cached: 1_877,
  retry_times: { now: 2, changed: 1 },
  was: {
    average_ms: 2510,
    p50_ms: 1900,
    p95_ms: 7420,
    answered: 50_922,
    failed: 341,
    no_channel: 25,
    attempts: 52_400,
    quota: 91_230_455,
  },
  unchanged: {
    average_ms: 2498,
    p50_ms: 1900,
    p95_ms: 7420,
    answered: 50_910.4,
    failed: 352.6,
    no_channel: 25,
    attempts: 52_390.7,
    quota: 91_208_900,
  },
  would: {
    average_ms: 3120,
    p50_ms: 2400,
    p95_ms: 9800,
    answered: 49_802.4,
    failed: 1240.6,
    no_channel: 245,
    attempts: 53_003.8,
    quota: 89_225_310,
  },
  unsure: 811.4,
  channels: [
    channel(1, 'Main account', {
      changed: { ...standing, status: 2 },
      was: load(41_200, 0.786, 180),
      unchanged: load(39_100, 0.746, 180),
      would: load(0, 0, 0, null),
    }),
    channel(2, 'Second account of the research department', {
      was: load(10_900, 0.208, 161),
      would: load(51_602.4, 0.974, 1190.2, 3140),
      load: 'several',
    }),
    channel(4, 'Own server', {
      now: { ...standing, status: 2 },
      would: load(811.4, 0.015, 40.4, 2600),
      load: 'new',
      evidence: 'none',
      peak: 0,
    }),
    channel(5, 'Old account', { was: load(288, 0.005, 3, 890), would: load(590, 0.011, 10, 890), evidence: 'few' }),
    channel(77, '', { now: null, changed: null, was: load(12, 0.0002, 12, null), would: load(0, 0, 0, null) }),
  ],
  peak_since: 1_794_663_000,
  lost: [
    { group: 'default', model: 'claude-opus-4-1-20250805-thinking', calls: 220 },
    { group: 'vip', model: 'gpt-4o-realtime-preview', calls: 0 },
  ],
  lost_models: 2,
  gained: [{ group: 'default', model: 'llama-4-maverick', calls: 25 }],
  gained_models: 1,
}

/** There were no requests. */
export const noTraffic: WhatIfReport = { ...whatIfReport, calls: 0, rows: 0, refused: 0, cached: 0, channels: [] }

/** Takes the first channel of the list off, and works it out. */
export async function takeOffFirst(page: Page): Promise<void> {
  await page.locator('.what-if-fields input').click()
  await page.locator('.what-if-picks [role=option]').first().click()
  await page.locator('.what-if-change input[type=checkbox]').first().uncheck({ force: true })
  await workOut(page)
}

/** Asks for the answer. */
export const workOut = (page: Page) => page.locator('.what-if-buttons button[type=submit]').click()

/** Shows what would be written. */
export async function askToApply(page: Page): Promise<void> {
  await takeOffFirst(page)
  await page.locator('.what-if-apply button').click()
  await page.getByRole('alertdialog').waitFor()
}

/** Scrolls to what would become of all requests and of each channel. */
export async function seeFigures(page: Page): Promise<void> {
  await takeOffFirst(page)
  await page.locator('.explain-summary').evaluate((element) => element.scrollIntoView())
}
