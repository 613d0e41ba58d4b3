// Runs Vitest and Playwright and reads their JSON reports. Both return tests as `{ file, title, milliseconds, status:
// 'passed' | 'failed' | 'skipped', message, pattern }`; a failed one that has a pattern can be passed as `test` to run
// only that one.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root, runTool } from './node24.mjs'

/** Runs unit and API tests. Without `full`, the files named `*.deep.test.ts` are left out. */
export async function runVitest({ full, test, output }) {
  const report = join(root, 'out', test ? 'unit-again.json' : 'unit.json')
  process.env.UNHANDLED_ERRORS = report.replace('.json', '-errors.json')
  const reporters = ['default', 'json', './scripts/unhandled-errors.mjs'].map((name) => `--reporter=${name}`)
  const args = ['run', ...reporters, `--outputFile.json=${report}`]
  if (!full) {
    args.push('--project=!deep')
    process.env.TEST_SPEED ??= 'gate'
  }
  if (test) args.push(test.file)
  if (test?.pattern) args.push('--testNamePattern', test.pattern)
  rmSync(process.env.UNHANDLED_ERRORS, { force: true })
  const tests = await runAndRead(report, readVitest, ['vitest/vitest.mjs', ...args], output)
  const errors = existsSync(process.env.UNHANDLED_ERRORS)
    ? JSON.parse(readFileSync(process.env.UNHANDLED_ERRORS, 'utf8'))
    : []
  return [
    ...tests,
    ...errors.map((message) => failureOf('vitest.config.ts', 'an error outside of every test', message)),
  ]
}

/** Runs browser tests. Without `full`, the files named `*.deep.spec.ts` are left out. */
export async function runPlaywright({ full, test }) {
  const report = join(root, 'out', test ? 'e2e-again.json' : 'e2e.json')
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report
  const args = ['test']
  if (!full) args.push('--project=gate')
  if (test) args.push('--workers=1', test.pattern)
  return runAndRead(report, readPlaywright, ['@playwright/test/cli.js', ...args])
}

/** A tool that fails without a failed test in its report counts as one failure. */
async function runAndRead(report, read, command, output) {
  rmSync(report, { force: true })
  const succeeded = await runTool(command, output)
  const tests = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : []
  if (succeeded || tests.some(({ status }) => status === 'failed')) return tests
  return [...tests, failureOf(command[0], 'the run', 'see above')]
}

/** A failure outside any test: without a pattern, it is not rerun. */
function failureOf(file, title, message) {
  return { file, title, milliseconds: 0, status: 'failed', message }
}

/** A file that fails without a failed test, because it cannot be loaded or set up, counts as one failure. */
export function readVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const hasFailed = status === 'failed' && assertionResults.every((one) => one.status !== 'failed')
    const ofFile = hasFailed ? [{ ...failureOf(file, 'the file', message), pattern: '' }] : []
    const ofTests = assertionResults.map((one) => ({
      file,
      title: one.fullName,
      milliseconds: one.duration ?? 0,
      status: one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped',
      message: one.failureMessages.join('\n'),
      // As Vitest joins names for --testNamePattern; `fullName` joins them with spaces.
      pattern: `^${escaped([...one.ancestorTitles, one.title].join(' > '))}$`,
    }))
    return [...ofFile, ...ofTests]
  })
}

export function readPlaywright({ suites, errors }) {
  const broken = errors.map(({ message }) => failureOf('playwright.config.ts', 'the run', message))
  return [...broken, ...suites.flatMap((suite) => specsOf(suite, []))]
}

function specsOf({ title, specs = [], suites = [] }, above) {
  const path = [...above, title]
  const own = specs.flatMap((spec) => spec.tests.map((test) => playwrightTest(spec, test, path)))
  return [...own, ...suites.flatMap((suite) => specsOf(suite, path))]
}

function playwrightTest(spec, { status, results }, [, ...path]) {
  const file = `tests/e2e/${spec.file}`
  return {
    file,
    title: [...path, spec.title].join(' '),
    milliseconds: results.reduce((sum, { duration }) => sum + duration, 0),
    status: { expected: 'passed', skipped: 'skipped' }[status] ?? 'failed',
    message: results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n'),
    pattern: `${file}:${spec.line}`,
  }
}

function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
