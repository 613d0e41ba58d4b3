// `npm run check:quick`: lint, types, and the tests of the gate that import or mirror files changed since the last
// commit (or since a revision: `npm run check:quick -- main`). It is for the minute between two edits; only `npm test`
// decides.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ensureInstalled, fail, root, runTool } from './node24.mjs'

/** Maximum test files chosen by the changes; more would take longer than a minute. */
const MAX_FILES = 24
/** Quick tests that any change may affect. */
const ALWAYS = ['tests/architecture.test.ts', 'tests/shared/messages.test.ts']

ensureInstalled()
const changed = changedSince(process.argv[2] ?? 'HEAD')
const near = [...new Set(changed.flatMap(testsNear))]
const tests = [...new Set([...ALWAYS, ...near.slice(0, MAX_FILES)])].filter((path) => existsSync(join(root, path)))
console.log(`${changed.length} changed files, ${tests.length} test files`)
if (near.length > MAX_FILES) console.log(`npm test runs ${near.length - MAX_FILES} more`)

process.env.TEST_SPEED ??= 'gate'
const linted = changed.filter((path) => /\.(ts|tsx|mjs|css|json|html)$/.test(path))
const results = await Promise.all([
  linted.length === 0 || runTool(['@biomejs/biome/bin/biome', 'check', '--no-errors-on-unmatched', ...linted]),
  runTool(['typescript/bin/tsc', '-b']),
  runTool(['vitest/vitest.mjs', 'run', '--reporter=dot', ...tests]),
])
process.exitCode = results.every(Boolean) ? 0 : 1

/** Files that differ from a revision, new ones included, as paths with `/`. */
function changedSince(revision) {
  const names = [
    git('diff', '--name-only', '--diff-filter=d', revision),
    git('ls-files', '--others', '--exclude-standard'),
  ]
  return names.flatMap((text) => text.split('\n').filter(Boolean))
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout : fail(stderr.trim())
}

/**
 * A test itself; for a source, the tests of its name and those that import it; without any, those of the nearest
 * folder.
 */
function testsNear(path) {
  if (/^tests\/(?!e2e\/).*\.test\.ts$/.test(path)) return [path]
  if (!/^(gateway|shared|main|renderer)\/.*\.tsx?$/.test(path)) return []
  const folder = mirrorOf(dirname(path))
  const name = basename(path).replace(/\.tsx?$/, '')
  const named = testsIn(folder).filter((test) => new RegExp(`^${name}[.-]`).test(basename(test)))
  const importing = testsUnder('tests').filter((test) => imports(test, path))
  if (named.length + importing.length > 0) return [...named, ...importing]
  return nearestTests(folder)
}

/** The folder of tests that mirrors a source folder; main/ is mirrored by tests/desktop. */
function mirrorOf(folder) {
  return `tests/${folder.replace(/^main\b/, 'desktop')}`
}

function nearestTests(folder) {
  const found = testsIn(folder)
  return found.length > 0 || folder === 'tests' ? found : nearestTests(dirname(folder))
}

function imports(test, path) {
  return readFileSync(join(root, test), 'utf8').includes(`/${path}'`)
}

function testsIn(folder) {
  return entriesOf(folder).filter(isOfGate)
}

function isOfGate(path) {
  return path.endsWith('.test.ts') && !path.endsWith('.deep.test.ts')
}

function testsUnder(folder) {
  return entriesOf(folder).flatMap((path) => {
    if (statSync(join(root, path)).isDirectory()) return testsUnder(path)
    return isOfGate(path) ? [path] : []
  })
}

function entriesOf(folder) {
  const place = join(root, folder)
  return existsSync(place) ? readdirSync(place).map((name) => `${folder}/${name}`) : []
}
