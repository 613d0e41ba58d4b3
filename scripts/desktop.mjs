// `npm run desktop`: installs and builds what is missing, then opens the desktop program with the flags it was given.
// `npm run desktop -- --test` drives the same program with tests/desktop/electron.spec.ts instead, if Electron is
// installed.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './built.mjs'
import { ensureInstalled, fail, node24, root, toolEnvironment } from './node24.mjs'

const missing = [
  'Electron is not installed on this machine; npm only installs its package. Install it once with',
  '  npx install-electron',
  '(about 110 MB, verified against the checksums in the package), or set the path of an existing copy in',
  'ELECTRON_OVERRIDE_DIST_PATH. Without Electron, `npm start` runs the same gateway with its console in your browser.',
].join('\n')

ensureInstalled()
const electron = electronProgram()
const [first, ...others] = process.argv.slice(2)
if (!electron && first === '--test') {
  console.log('skipped: no Electron binary')
  process.exit(0)
}
if (!electron) fail(missing)
if (!(await ensureBuilt())) fail('the desktop program could not be built: see above')

const { ELECTRON_RUN_AS_NODE, ...environment } = toolEnvironment({ ELECTRON_PROGRAM: electron })
if (first === '--test') {
  const runner = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  run(node24(), [runner, 'test', '--config', join(root, 'tests', 'desktop', 'playwright.config.ts'), ...others])
} else run(electron, [root, ...process.argv.slice(2)])

/**
 * The program that Electron's install script has unpacked; undefined if there is none. Its path is read from a file,
 * because importing `electron` would start a download.
 */
function electronProgram() {
  const home = join(root, 'node_modules', 'electron')
  const note = join(home, 'path.txt')
  const name = existsSync(note) ? readFileSync(note, 'utf8').trim() : 'electron'
  const program = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist'), name)
  return existsSync(program) ? program : undefined
}

/** Runs a program to its end and exits with the same code; forwards signals to stop, so that the program drains. */
function run(file, args) {
  const child = spawn(file, args, { cwd: root, env: environment, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => fail(error.message))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
