// `npm run dist:npm`: packs the headless gateway for npm as dist/switchyard-<version>.tgz: the output of
// `npm run build`, and the two dependencies with native code. `--into <folder>` writes its files and those two there,
// for an image (Dockerfile).
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './built.mjs'
import { ensureInstalled, fail, npmCommand, root } from './node24.mjs'

/** The dependencies with native code that a server needs; it has no keychain. */
const natives = ['@node-rs/argon2', 'better-sqlite3']
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { values } = parseArgs({ options: { into: { type: 'string' } } })

ensureInstalled()
if (!(await ensureBuilt())) fail('the gateway could not be built: see above')
if (values.into) {
  writePackage(values.into)
  writeDependencies(values.into)
} else pack()

function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-npm-'))
  const target = join(root, 'dist')
  try {
    writePackage(folder)
    mkdirSync(target, { recursive: true })
    const { file, args } = npmCommand()
    const npmArgs = [...args, 'pack', '--silent', `--pack-destination=${target}`]
    const { status } = spawnSync(file, npmArgs, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
    if (status !== 0) fail('npm could not pack it: see above')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the files that package.json lists, the licence, README.md, and the metadata that npm needs. */
function writePackage(folder) {
  const left = own.files.filter((name) => name.startsWith('!')).map((name) => join(root, name.slice(1)))
  const named = own.files.filter((name) => !name.startsWith('!'))
  for (const name of [...named, 'LICENSE', 'README.md']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !left.includes(path) })
  }
  const { name, version, description, author, license, type, bin, files } = own
  const homepage = process.env.RELEASE_HOMEPAGE ? { homepage: process.env.RELEASE_HOMEPAGE } : {}
  const dependencies = Object.fromEntries(natives.map((native) => [native, own.dependencies[native]]))
  const manifest = { name, version, description, ...homepage, author, license, type, bin, files }
  const engines = { node: '>=24.14.1' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, engines, dependencies }, null, 2)}\n`)
}

/** Writes the runtime code of the dependencies with native code, without sources and build inputs. */
function writeDependencies(folder) {
  const prebuilt = `${process.platform}-${process.arch}`
  const argon2 = [`@node-rs/argon2-${prebuilt}-gnu`, `@node-rs/argon2-${prebuilt}-musl`, `@node-rs/argon2-${prebuilt}`]
  const present = argon2.filter((name) => existsSync(join(root, 'node_modules', name)))
  if (present.length === 0) fail(`npm has not installed the machine code of argon2 for ${prebuilt}`)
  const isRun = (path) => !/better-sqlite3[\\/](deps|src|binding\.gyp)/.test(path)
  for (const name of [...natives, ...present]) {
    const place = join('node_modules', name)
    cpSync(join(root, place), join(folder, place), { recursive: true, filter: isRun })
  }
}
