// `npm test`: installs what is missing, then lint, types and the build beside one another, unit and API tests, and the browser
// tests, all of them whatever fails, what failed once more, and one closing line that adds them up.
// `npm test -- --only=lint,unit` runs the stages named.
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './browser.mjs'
import { ensureBuilt } from './built.mjs'
import { ensureInstalled, fail, root, runTool } from './node24.mjs'
import { ensureSecretService } from './secret-service.mjs'

const none = { passed: 0, failed: 0, skipped: 0 }
const reports = { unit: join(root, 'out', 'unit.json'), e2e: join(root, 'out', 'e2e.json') }

/** Each stage answers what it counted; lint, types and build count as one test each. */
const stages = {
  lint: async (output) => asOne(await runTool(['@biomejs/biome/bin/biome', 'check'], output)),
  types: async (output) =>
    asOne(await runTool(['typescript/bin/tsc', '-b', '--checkers', '1', '--builders', '2'], output)),
  build: async (output) => {
    const isBuilt = await ensureBuilt('desktop', output)
    // What starts a gateway in a process of its own starts this one, which takes half the time (tests/support/headless.ts).
    if (isBuilt) process.env.BUILT_GATEWAY = 'out/main/gateway.js'
    return asOne(isBuilt)
  },
  unit: async () => {
    await keyring
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.unit}`]
    return fromReport(reports.unit, vitestCounts, ['vitest/vitest.mjs', 'run', ...reporters])
  },
  e2e: async () => {
    const { isThere, output } = await chromium
    process.stdout.write(Buffer.concat(output.map((part) => Buffer.from(part))))
    if (!isThere) return { ...none, failed: 1 }
    return fromReport(reports.e2e, playwrightCounts, ['@playwright/test/cli.js', 'test'])
  },
}
/** Those of a row are run beside one another: none of them keeps two processors busy. */
const rows = [['lint', 'types', 'build'], ['unit'], ['e2e']]

const { values } = parseArgs({ options: { only: { type: 'string', default: rows.flat().join() } } })
const chosen = values.only.split(',')
const unknown = chosen.filter((name) => !(name in stages))
if (unknown.length > 0) fail(`no such stage: ${unknown.join(', ')}; there are ${rows.flat().join(', ')}`)

ensureInstalled()
takeMemory()
const keyring = chosen.includes('unit') ? ensureSecretService([]) : undefined
// A browser may have to be fetched, which the network takes its time for; both ask the system's installer, one after the other.
const chromium = chosen.includes('e2e') ? Promise.resolve(keyring).then(() => browserFor([])) : undefined
const results = []
for (const row of rows) results.push(...(await runRow(row.filter((name) => chosen.includes(name)))))
if (existsSync(reports.unit) && chosen.includes('unit')) tellFailures(JSON.parse(readFileSync(reports.unit, 'utf8')))
console.log()
for (const { name, seconds, counts } of results)
  console.log(`${name.padEnd(6)} ${seconds.padStart(6)} s  ${told(counts)}`)
const total = results.reduce((sum, { counts }) => added(sum, counts), none)
console.log(`\n${told(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0

/**
 * Where there is room, what tests write is in memory: a machine of two cores waits for its disk a good part of the time. What
 * Node has compiled is kept there for the next process.
 */
function takeMemory() {
  const memory = '/dev/shm'
  if (process.env.TMPDIR || !existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < 4 * 2 ** 30) return
  const folder = mkdtempSync(join(memory, 'switchyard-test-'))
  process.env.TMPDIR = folder
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled')
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

async function browserFor(output) {
  return { isThere: await ensureChromium(output), output }
}

/** Stages beside one another: what each says is shown as a whole when it has ended. */
function runRow(names) {
  return Promise.all(
    names.map(async (name) => {
      const output = names.length > 1 ? [] : undefined
      if (!output) console.log(`\n> ${name}`)
      const begun = performance.now()
      const counts = await stages[name](output)
      if (output) process.stdout.write(Buffer.concat([Buffer.from(`\n> ${name}\n`), ...output]))
      return { name, counts, seconds: ((performance.now() - begun) / 1_000).toFixed(1) }
    }),
  )
}

function asOne(succeeded) {
  return succeeded ? { ...none, passed: 1 } : { ...none, failed: 1 }
}

/** What the tool's own report says; a tool that failed without naming a failed test, or without a report, is one failure. */
async function fromReport(file, countsOf, command) {
  rmSync(file, { force: true })
  const succeeded = await runTool(command)
  const counts = existsSync(file) ? countsOf(JSON.parse(readFileSync(file, 'utf8'))) : none
  return !succeeded && counts.failed === 0 ? added(counts, asOne(false)) : counts
}

/** A file that could not even be loaded holds no tests, so it counts as one that failed. */
function vitestCounts(report) {
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** The unit tests that failed, named near the end: their own report is far above by then. */
function tellFailures({ testResults }) {
  for (const { name, assertionResults } of testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed')
        console.log(`\n> failed: ${relative(root, name)}: ${fullName}\n${failureMessages.join('\n')}`)
}

/** A test that passed only when tried again has passed; with retries off there is none. */
function playwrightCounts({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

function added(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

function told({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
