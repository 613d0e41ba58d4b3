// `npm test` is the gate: lint, types and the build in parallel, then unit and API tests, then browser journeys.
// `npm run test:full` runs the tests named `*.deep.test.ts` and `*.deep.spec.ts` as well
// (CONTRIBUTING.md#write-a-test), and the desktop program in real Electron if it is installed.
//   --only=lint,unit   runs these stages only
//   --strict           reruns no failed test
// All stages run even after failures. The last line gives the totals.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './browser.mjs'
import { builtGateway, ensureBuilt } from './built.mjs'
import { ensureInstalled, fail, node24, root, run, runTool } from './node24.mjs'
import { ensureSystemPackages, hasPostgres } from './system-packages.mjs'
import { runPlaywright, runVitest } from './test-runners.mjs'

/** The stages of a group run in parallel: none of them keeps two processors busy. */
const groups = [['lint', 'types', 'build'], ['unit'], ['e2e'], ['electron']]
const options = {
  full: { type: 'boolean', default: false },
  only: { type: 'string' },
  strict: { type: 'boolean', default: false },
}
const {
  full,
  strict,
  only = groups
    .flat()
    .filter((name) => full || name !== 'electron')
    .join(),
} = parseArgs({ options }).values
/** Maximum failed tests to rerun; with more, chance is not the cause and nothing is rerun. */
const MAX_RETRIES = strict ? 0 : 10
const SLOWEST = 10

/** Each stage returns its tests as test-runners.mjs describes them. */
const stages = {
  lint: (output) => single('lint', runTool(['@biomejs/biome/bin/biome', 'check'], output)),
  types: (output) =>
    single('types', runTool(['typescript/bin/tsc', '-b', '--checkers', '1', '--builders', '2'], output)),
  build: async (output) => {
    const isBuilt = await ensureBuilt(output)
    // Tests that start a gateway in its own process start this one, in half the time (tests/support/headless.ts).
    if (isBuilt) process.env.BUILT_GATEWAY = builtGateway
    return single('build', isBuilt)
  },
  unit: async () => {
    await installed
    if (!hasPostgres()) console.log('skipped: no PostgreSQL server (Debian: postgresql)')
    return withRetry(runVitest, { full })
  },
  e2e: async () => {
    const { isThere, output } = await chromium
    process.stdout.write(Buffer.concat(output.map((part) => Buffer.from(part))))
    return isThere ? withRetry(runPlaywright, { full }) : single('Chromium', false)
  },
  electron: async () => {
    const output = []
    const hasPassed = await run(node24(), [join(root, 'scripts', 'desktop.mjs'), '--test'], { output })
    const printed = Buffer.concat(output).toString()
    process.stdout.write(printed)
    const [test] = await single('electron', hasPassed)
    return [printed.startsWith('skipped: ') ? { ...test, status: 'skipped' } : test]
  },
}

const chosen = only.split(',')
const unknown = chosen.filter((name) => !(name in stages))
if (unknown.length > 0) fail(`no such stage: ${unknown.join(', ')}; there are ${groups.flat().join(', ')}`)

ensureInstalled()
placeInMemory()
const installed = chosen.includes('unit') ? ensureSystemPackages([]) : undefined
// Both may call the system's installer, so one follows the other.
const chromium = chosen.includes('e2e') ? Promise.resolve(installed).then(() => findBrowser([])) : undefined
const results = []
for (const group of groups) results.push(...(await runGroup(group.filter((name) => chosen.includes(name)))))
printFailures(results)
console.log()
for (const { name, seconds, tests } of results)
  console.log(`${name.padEnd(6)} ${seconds.padStart(6)} s  ${summaryOf(tests)}`)
const all = results.flatMap(({ tests }) => tests)
console.log(`\n${summaryOf(all)}`)
process.exitCode = all.some(isFailed) ? 1 : 0

/**
 * Tests write to memory if there is enough: with two cores, the disk takes a good part of their time. Node caches
 * compiled code there for the next process.
 */
function placeInMemory() {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < 4 * 2 ** 30) return
  const folder = mkdtempSync(join(memory, 'switchyard-test-'))
  process.env.TMPDIR = folder
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

async function findBrowser(output) {
  return { isThere: await ensureChromium(output), output }
}

/** Parallel stages: the output of each is printed in one piece when it has ended. */
function runGroup(names) {
  return Promise.all(
    names.map(async (name) => {
      const output = names.length > 1 ? [] : undefined
      if (!output) console.log(`\n> ${name}`)
      const start = performance.now()
      const tests = await stages[name](output)
      if (output) process.stdout.write(Buffer.concat([Buffer.from(`\n> ${name}\n`), ...output]))
      else printSlowest(name, tests)
      return { name, tests, seconds: ((performance.now() - start) / 1_000).toFixed(1) }
    }),
  )
}

/** A stage that counts as one test: lint, types, the build. */
async function single(name, succeeded) {
  return [{ file: name, title: name, milliseconds: 0, status: (await succeeded) ? 'passed' : 'failed', message: '' }]
}

/**
 * Runs the tests, then reruns each failed one separately in a new process, unless too many failed. One that passes then
 * is flaky.
 */
async function withRetry(runTests, choice) {
  const tests = await runTests(choice)
  const failed = tests.filter(isFailed)
  if (failed.length > MAX_RETRIES) return tests
  for (const test of failed.filter(({ pattern }) => pattern !== undefined)) {
    console.log(`\n> once more: ${test.file}: ${test.title}`)
    const again = await runTests({ ...choice, test })
    test.isFlaky = again.some(({ status }) => status === 'passed') && !again.some(isFailed)
  }
  return tests
}

function isFailed({ status, isFlaky }) {
  return status === 'failed' && !isFlaky
}

function printSlowest(stage, tests) {
  console.log(`\n> ${stage}: the slowest`)
  for (const { file, title, milliseconds } of tests
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, SLOWEST))
    console.log(`${(milliseconds / 1_000).toFixed(1).padStart(6)} s  ${file}: ${title}`)
}

/** Prints the failures again near the end, because the runner's report has scrolled away by then. */
function printFailures(stagesRun) {
  for (const { file, title, message, isFlaky } of stagesRun.flatMap(({ tests }) => tests.filter(isShown))) {
    console.log(`\n> ${isFlaky ? 'flaky' : 'failed'}: ${file}: ${title}\n${message}`)
    if (isFlaky) console.log('\nThe second run passed.')
  }
}

function isShown({ status, file, title }) {
  return status === 'failed' && file !== title
}

function summaryOf(tests) {
  const count = (isCounted) => tests.filter(isCounted).length
  const passed = count((test) => test.status === 'passed' || test.isFlaky)
  const skipped = count(({ status }) => status === 'skipped')
  return `${passed} passed, ${count(isFailed)} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
