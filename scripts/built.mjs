import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, runTool } from './node24.mjs'

const sources = [
  ...['gateway', 'main', 'renderer', 'shared', 'scripts/build'],
  ...['electron.vite.config.ts', 'vite.config.ts', 'package.json', 'package-lock.json'],
]
/** The headless gateway, which is built together with the console and the desktop program. */
export const builtGateway = 'out/main/gateway.js'

/**
 * Builds gateway, console and desktop program unless the last build used the same sources. Returns true when the result
 * exists. The tool's output goes to the terminal, or into `output`. With KEEP_BUILD=1 an existing build is used as it
 * is: parallel tests share it.
 */
export async function ensureBuilt(output) {
  const result = join(root, builtGateway)
  if (process.env.KEEP_BUILD === '1' && existsSync(result)) return true
  const stamp = join(root, 'out', 'build.sha256')
  const hash = hashOf(sources)
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true
  if (!output) console.log('Building gateway and console (npm run build)...')
  // Node's compile cache of the previous build (gateway/headless.mjs).
  rmSync(join(root, 'out', 'node_modules'), { recursive: true, force: true })
  if (!(await runTool(['electron-vite/bin/electron-vite.js', 'build', '--logLevel=warn'], output))) return false
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
