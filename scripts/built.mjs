import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, runTool } from './node24.mjs'

const consoleSources = ['renderer', 'shared', 'scripts/build', 'vite.config.ts', 'package-lock.json']

/** Build targets: sources, result, and the tool that builds it. */
const targets = {
  console: {
    sources: consoleSources,
    result: 'out/renderer/index.html',
    command: ['vite/bin/vite.js', 'build', '--logLevel=warn'],
  },
  desktop: {
    sources: [...consoleSources, 'gateway', 'main', 'electron.vite.config.ts', 'package.json'],
    result: 'out/main/index.js',
    command: ['electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn'],
  },
}

/**
 * Builds `console` or `desktop` (which includes the console) unless the last build used the same sources. Returns true
 * when the result exists. The tool's output goes to the terminal, or into `output`. With KEEP_BUILD=1 an existing build
 * is used as it is: parallel tests share it.
 */
export async function ensureBuilt(name, output) {
  const { sources, result, command } = targets[name]
  if (process.env.KEEP_BUILD === '1' && existsSync(join(root, result))) return true
  const stamp = join(root, 'out', `${name}.sha256`)
  const hash = hashOf(sources)
  if (existsSync(join(root, result)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true
  if (!(await runTool(command, output))) return false
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, hash)
  return true
}

/** One hash over the names and contents of all files, independent of checkouts and clocks. */
function hashOf(sources) {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesOf(join(root, source)))) {
    const content = readFileSync(file)
    hash.update(`${file.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}
