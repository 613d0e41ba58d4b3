import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { run } from './node24.mjs'

/**
 * Packages that tests use if the machine has them: the keychain (tests/process/secret-service.deep.test.ts), PostgreSQL
 * and Redis.
 */
const packages = [
  { isThere: () => has('gnome-keyring-daemon'), names: ['gnome-keyring', 'dbus'] },
  { isThere: hasPostgres, names: ['postgresql'] },
  { isThere: () => has('redis-server'), names: ['redis-server'] },
]

/**
 * Installs a Secret Service, a PostgreSQL and a Redis server for tests, but only in continuous integration, as root, with
 * apt-get. Elsewhere the tests run if the machine has them, and are skipped otherwise.
 */
export async function ensureSystemPackages(output) {
  const isWanted = process.env.CI && process.platform === 'linux' && process.getuid?.() === 0
  const missing = packages.filter(({ isThere }) => !isThere()).flatMap(({ names }) => names)
  if (!isWanted || missing.length === 0 || !has('apt-get')) return
  const apt = (...words) => run('apt-get', [...words, '-qq'], { env: { DEBIAN_FRONTEND: 'noninteractive' }, output })
  const install = () => apt('install', '-y', '--no-install-recommends', ...missing)
  if (!(await install()) && (await apt('update'))) await install()
}

function has(program) {
  return spawnSync(program, ['--version']).status === 0
}

/** Whether PostgreSQL is in Debian's folder, where tests look for it too (tests/support/postgres-server.ts). */
export function hasPostgres() {
  const folder = '/usr/lib/postgresql'
  return existsSync(folder) && readdirSync(folder).some((version) => existsSync(`${folder}/${version}/bin/initdb`))
}
