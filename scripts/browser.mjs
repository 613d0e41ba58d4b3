import { join } from 'node:path'
import { node24, root, run } from './node24.mjs'

/**
 * Provides a Chromium for browser tests: the one tests/e2e/chromium.ts finds, else Playwright's download, else (as
 * root, with apt-get) the system's package. Returns whether there is one; progress goes into `output`.
 */
export async function ensureChromium(output) {
  const isThere = () => hasChromium(output)
  if (await isThere()) return true
  const isRoot = process.getuid?.() === 0
  output.push('Installing Chromium for the browser tests...\n')
  const download = ['install', ...(isRoot ? ['--with-deps'] : []), 'chromium']
  await run(node24(), [join(root, 'node_modules/@playwright/test/cli.js'), ...download], { env, output })
  if (await isThere()) return true
  if (isRoot && (await run('apt-get', ['update', '-qq'], { env, output }))) {
    const install = (name) => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, output })
    // Older systems have no separate headless shell.
    if (!(await install('chromium-headless-shell'))) await install('chromium')
  }
  if (await isThere()) return true
  output.push('No Chromium was found for the browser tests. Install one, or set the variable CHROMIUM to its path.\n')
  return false
}

const env = { DEBIAN_FRONTEND: 'noninteractive' }

/**
 * Queries tests/e2e/chromium.ts, which also launches the browser, so that only one file lists the locations of
 * browsers.
 */
function hasChromium(output) {
  const question = "import { hasChromium } from './tests/e2e/chromium.ts'; process.exit(hasChromium() ? 0 : 1)"
  return run(node24(), ['--input-type=module', '--eval', question], { output })
}
