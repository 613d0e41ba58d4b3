import { defineConfig } from '@playwright/test'
import { chromiumLaunch } from './tests/e2e/chromium.ts'

const deep = '**/*.deep.spec.ts'

/** Browser tests against the built console, served by a real gateway on a free port. */
export default defineConfig({
  testDir: 'tests/e2e',
  // The speed of a file stands in its name (CONTRIBUTING.md#two-speeds).
  projects: [
    { name: 'gate', testMatch: '**/*.spec.ts', testIgnore: deep },
    { name: 'deep', testMatch: deep },
  ],
  outputDir: 'out/e2e',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Waits, never verdicts: a machine whose two cores are shared may take several times as long as a quiet one.
  timeout: 240_000,
  expect: { timeout: 20_000, toPass: { timeout: 60_000 } },
  reporter: [['list'], ['json', { outputFile: 'out/e2e.json' }]],
  // A trace of every test takes a quarter of their time: TRACE=1 keeps those of failures.
  use: {
    launchOptions: chromiumLaunch(),
    // What cannot be clicked by then never can.
    actionTimeout: 60_000,
    // Nothing slides in that a test would have to wait for.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
})
