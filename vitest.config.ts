import { defineConfig } from 'vitest/config'

const gate = ['tests/**/*.test.ts']
const deep = ['tests/**/*.deep.test.ts']

/** Unit and API tests under Node; the browser tests of tests/e2e belong to Playwright. */
export default defineConfig({
  test: {
    // The speed of a file stands in its name (CONTRIBUTING.md#two-speeds).
    projects: [
      { extends: true, test: { name: 'gate', include: gate, exclude: deep } },
      { extends: true, test: { name: 'deep', include: deep } },
    ],
    environment: 'node',
    // Checks every response against the OpenAPI document, and stops what a file has started.
    setupFiles: ['tests/support/every-file.ts'],
    pool: 'forks',
    // Modules keep no state (docs/house.md), so files share what a worker has loaded: half the processor time.
    isolate: false,
    // More than there are cores: many tests wait for timers and child processes.
    maxWorkers: 4,
    // Waits, never verdicts: on a machine whose two cores are shared everything may take ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
  },
})
