import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, runTool } from './node24.mjs'

const consoleSources = ['renderer', 'shared', 'scripts/build', 'vite.config.ts', 'package-lock.json']

/** What can be built: what it is made from, what stands there afterwards, and the tool that makes it. */
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
 * Builds `console` or `desktop` (which holds the console too) unless the last build was made from the same sources.
 * Answers true when the result is in place. What the tool says goes to the terminal, or into `output`. With KEEP_BUILD=1 what is
 * there is taken as it is: tests beside one another share it.
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

/** One hash over the names and contents of all files, so that neither a checkout nor a clock can mislead it. */
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
