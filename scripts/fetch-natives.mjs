// `node scripts/fetch-natives.mjs darwin`: npm installs native code for this machine only; this adds the native code
// that packages for a system's other processors need to node_modules, in the versions and with the checksums of
// package-lock.json. A second argument (`x64`, `arm64`) limits it to that processor.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nativesOf } from './natives.mjs'
import { fail, npmCommand, root } from './node24.mjs'

/** The dependency that comes as one package per system and processor; others include the code for all of them. */
const SPLIT = '@node-rs/argon2'

const [platform = process.platform, ...given] = process.argv.slice(2)
const arches = given.length > 0 ? given : ['x64', 'arm64']
if (!['linux', 'darwin', 'win32'].includes(platform) || arches.some((arch) => !['x64', 'arm64'].includes(arch)))
  fail('usage: node scripts/fetch-natives.mjs [linux | darwin | win32] [x64] [arm64]')
for (const arch of arches) fetchFor(arch)

function fetchFor(arch) {
  const missing = nativesOf(platform, arch).filter((path) => !existsSync(join(root, path)))
  if (missing.length === 0) return console.log(`${platform}-${arch}: all is there`)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-natives-'))
  try {
    writeProject(folder)
    install(folder, arch)
    for (const path of missing) {
      const home = path.split('/').slice(0, 3).join('/')
      if (!existsSync(join(folder, path))) fail(`npm has not brought ${path}`)
      cpSync(join(folder, home), join(root, home), { recursive: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`${platform}-${arch}: ${missing.join(', ')}`)
}

/** Writes a project with only `SPLIT`, whose lockfile is a part of ours. */
function writeProject(folder) {
  const { packages, lockfileVersion } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const isOurs = ([place]) => place === `node_modules/${SPLIT}` || place.startsWith(`node_modules/${SPLIT}-`)
  const locked = Object.entries(packages).filter(isOurs)
  const project = {
    name: 'natives',
    version: '0.0.0',
    dependencies: { [SPLIT]: packages[`node_modules/${SPLIT}`].version },
  }
  const lock = { ...project, lockfileVersion, packages: { '': project, ...Object.fromEntries(locked) } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))
}

function install(folder, arch) {
  const { file, args } = npmCommand()
  const target = [`--os=${platform}`, `--cpu=${arch}`, ...(platform === 'linux' ? ['--libc=glibc'] : [])]
  const npmArgs = [...args, 'ci', ...target, '--no-progress', '--loglevel=error']
  const { status } = spawnSync(file, npmArgs, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) fail(`npm could not install what ${platform}-${arch} needs: see above`)
}
