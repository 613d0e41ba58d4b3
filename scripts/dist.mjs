// `npm run dist`: makes packages for this system, x64 and arm64 each, into dist/. `--linux`, `--mac`, `--win` choose
// others, `--x64` or `--arm64` one processor; all flags are electron-builder's. RELEASE_HOMEPAGE, RELEASE_MAINTAINER
// and RELEASE_VENDOR name the publisher, RELEASE_FEED the address where packages look for updates, and RELEASES_PAGE
// the page for users (docs/releasing.md).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './built.mjs'
import { ensureInstalled, fail, root, run, runTool } from './node24.mjs'
import { notesIn } from './release-notes.mjs'

const given = process.argv.slice(2)
const processors = ['x64', 'arm64'].filter((arch) => given.includes(`--${arch}`))
if (processors.length === 0) processors.push('x64', 'arm64')
const flags = [...new Set([...given, ...processors.map((arch) => `--${arch}`)])]
const { ELECTRON_OVERRIDE_DIST_PATH: electron, RELEASE_HOMEPAGE, RELEASE_MAINTAINER, RELEASE_VENDOR } = process.env
const { RELEASE_FEED, RELEASES_PAGE } = process.env
const placeholder = 'https://example.org/switchyard'

ensureInstalled()
if (electron && !existsSync(electron)) fail(`ELECTRON_OVERRIDE_DIST_PATH is ${electron}, and nothing is there`)
if (!(await ensureBuilt())) fail('the desktop program could not be built: see above')
for (const platform of platforms())
  if (!(await run(process.execPath, [join(root, 'scripts/fetch-natives.mjs'), platform, ...processors])))
    fail(`the machine code for ${platform} could not be fetched: see above`)
if (!RELEASE_HOMEPAGE || !RELEASE_MAINTAINER)
  console.log(
    `RELEASE_HOMEPAGE or RELEASE_MAINTAINER is not set: packages for Linux will name ${placeholder} and nobody`,
  )
const config = [
  `-c.extraMetadata.homepage=${RELEASE_HOMEPAGE || placeholder}`,
  ...(RELEASE_MAINTAINER ? [`-c.linux.maintainer=${RELEASE_MAINTAINER}`] : []),
  ...(RELEASE_VENDOR ? [`-c.linux.vendor=${RELEASE_VENDOR}`] : []),
  ...(electron ? [`-c.electronDist=${electron}`] : []),
  ...(RELEASES_PAGE ? [`-c.extraMetadata.releasesPage=${overHttps('RELEASES_PAGE', RELEASES_PAGE)}`] : []),
  ...(RELEASE_FEED ? feed(overHttps('RELEASE_FEED', RELEASE_FEED)) : []),
]
if (!(await runTool(['electron-builder/cli.js', ...flags, ...config, '--publish', 'never']))) fail(needs())

/** The requested systems by their Node names; this one by default. */
function platforms() {
  const flagsOf = { linux: /^(--linux|-l)$/, darwin: /^(--mac|--macos|-m|-o)$/, win32: /^(--win|--windows|-w)$/ }
  const named = Object.keys(flagsOf).filter((name) => flags.some((flag) => flagsOf[name].test(flag)))
  return named.length > 0 ? named : [process.platform]
}

/**
 * The flags that make packages look at `url` for `latest*.yml`. These files are created next to the packages and
 * include the release notes from CHANGELOG.md.
 */
function feed(url) {
  const notes = join(root, 'dist', 'release-notes.md')
  mkdirSync(join(root, 'dist'), { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(notes, notesIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version))
  return ['-c.publish.provider=generic', `-c.publish.url=${url}`, `-c.releaseInfo.releaseNotesFile=${notes}`]
}

function overHttps(name, address) {
  if (!/^https:\/\/[^\s/]/.test(address)) fail(`${name} is ${address}, which is not an HTTPS address`)
  return address
}

function needs() {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  return [
    '',
    'The packages could not be made: see above. Where the network is the reason, these are what is fetched:',
    `- Electron ${version} for each system and processor, about 110 MB. A copy that is there already, unpacked or as its zip,`,
    '  is taken from ELECTRON_OVERRIDE_DIST_PATH, a mirror from ELECTRON_MIRROR.',
    '- the tools that make installers: once each, by electron-builder. `npm run dist -- --dir` does without them',
    '  and makes the folder that an installer would install.',
    'docs/releasing.md lists what each system also needs.',
  ].join('\n')
}
