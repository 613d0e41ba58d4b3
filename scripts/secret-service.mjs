import { spawnSync } from 'node:child_process'
import { run } from './node24.mjs'

/**
 * Sees to it that tests of the real keychain (tests/process/secret-service.deep.test.ts) have a Secret Service where nobody minds: in
 * continuous integration, as root, where apt-get is. Elsewhere they run where it is on the machine, and are left out where not.
 */
export async function ensureSecretService(output) {
  const isWanted = process.env.CI && process.platform === 'linux' && process.getuid?.() === 0
  const has = (program) => spawnSync(program, ['--version']).status === 0
  if (!isWanted || has('gnome-keyring-daemon') || !has('apt-get')) return
  const asked = (...words) => run('apt-get', [...words, '-qq'], { env: { DEBIAN_FRONTEND: 'noninteractive' }, output })
  const install = () => asked('install', '-y', '--no-install-recommends', 'gnome-keyring', 'dbus')
  if (!(await install()) && (await asked('update'))) await install()
}
