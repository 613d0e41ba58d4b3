import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { node24, root, toolEnvironment } from './node24.mjs'

/**
 * Sees to it that browser tests have a Chromium: the one tests/e2e/chromium.ts finds, else Playwright's download, else
 * (as root, where apt-get is) the system's package. Answers whether there is one.
 */
export function ensureChromium() {
  if (hasChromium()) return true
  const isRoot = process.getuid?.() === 0
  console.log('Installing Chromium for the browser tests...')
  const install = [join(root, 'node_modules/@playwright/test/cli.js'), 'install', ...(isRoot ? ['--with-deps'] : [])]
  run(node24(), [...install, 'chromium'])
  if (hasChromium()) return true
  if (isRoot && run('apt-get', ['update', '-qq'])) {
    const install = (name) => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])
    // Older systems have no shell apart.
    if (!install('chromium-headless-shell')) install('chromium')
  }
  if (hasChromium()) return true
  console.error('No Chromium was found for the browser tests. Install one, or set the variable CHROMIUM to its path.')
  return false
}

/** Asks the file that will launch it, so that where a browser may be is said once. */
function hasChromium() {
  const question = "import { hasChromium } from './tests/e2e/chromium.ts'; process.exit(hasChromium() ? 0 : 1)"
  return run(node24(), ['--input-type=module', '--eval', question])
}

function run(file, args) {
  const env = toolEnvironment({ DEBIAN_FRONTEND: 'noninteractive' })
  return spawnSync(file, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}
