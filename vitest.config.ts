import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { postgresPrograms } from './tests/support/postgres-server.ts'

const gate = ['tests/**/*.test.ts']
const deep = ['tests/**/*.deep.test.ts']
const isGate = process.env.TEST_SPEED === 'gate'

/** On PostgreSQL, tests that start a gateway run again: in the gate those of money, tokens, options and jobs. */
const folders = isGate ? '{billing,jobs,settings,tokens,wallet,relay/admission}' : '**'
const ofGateways = globSync(`tests/gateway/${folders}/**/*.test.ts`, { exclude: deep }).filter((file) =>
  readFileSync(file, 'utf8').includes('support/world.ts'),
)
const onPostgres = [
  'tests/gateway/{billing,shared-state,store}/postgres/*.test.ts',
  'tests/gateway/{move,nodes}/*.test.ts',
]
const postgres = {
  extends: true,
  test: {
    name: 'postgres',
    include: [...ofGateways, ...onPostgres, ...(isGate ? [] : ['tests/process/kill.deep.test.ts'])],
    exclude: isGate ? deep : [],
    globalSetup: 'tests/support/postgres-setup.ts',
  },
}

/** Unit and API tests under Node; the browser tests of tests/e2e belong to Playwright. */
export default defineConfig({
  test: {
    // The speed of a file stands in its name (CONTRIBUTING.md#two-speeds).
    projects: [
      { extends: true, test: { name: 'gate', include: gate, exclude: [...deep, ...onPostgres] } },
      { extends: true, test: { name: 'deep', include: deep, exclude: onPostgres } },
      ...(postgresPrograms() ? [postgres] : []),
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
