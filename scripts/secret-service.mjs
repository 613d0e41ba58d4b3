import { spawnSync } from 'node:child_process'
import { run } from './node24.mjs'

/**
 * Provides a Secret Service for tests of the real keychain (tests/process/secret-service.deep.test.ts), but installs
 * one only in continuous integration, as root, with apt-get. Elsewhere the tests run if the machine has one, and are
 * skipped otherwise.
 */
export async function ensureSecretService(output) {
  const isWanted = process.env.CI && process.platform === 'linux' && process.getuid?.() === 0
  const has = (program) => spawnSync(program, ['--version']).status === 0
  if (!isWanted || has('gnome-keyring-daemon') || !has('apt-get')) return
  const asked = (...words) => run('apt-get', [...words, '-qq'], { env: { DEBIAN_FRONTEND: 'noninteractive' }, output })
  const install = () => asked('install', '-y', '--no-install-recommends', 'gnome-keyring', 'dbus')
  if (!(await install()) && (await asked('update'))) await install()
}
