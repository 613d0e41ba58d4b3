// `node scripts/update-feed.mjs <folder of artifacts> <folder of the release>`: merges the artifacts of all runners
// into one folder. Each runner writes a `latest*.yml` for its own processor; files of the same name are merged, since
// programs pick their file by its name. Every checksum in them is compared with its file, so that no release is
// published that programs would refuse.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parse, stringify } from 'yaml'

const [artifacts, release] = process.argv.slice(2)
if (!artifacts || !release) {
  console.error('usage: node scripts/update-feed.mjs <folder of artifacts> <folder of the release>')
  process.exit(2)
}
mkdirSync(release, { recursive: true })
const feeds = new Map()
for (const runner of readdirSync(artifacts).sort())
  for (const name of readdirSync(join(artifacts, runner)).sort()) {
    const file = join(artifacts, runner, name)
    if (/^latest.*\.yml$/.test(name)) feeds.set(name, [...(feeds.get(name) ?? []), parse(readFileSync(file, 'utf8'))])
    else if (existsSync(join(release, name))) throw new Error(`two runners have made ${name}`)
    else copyFileSync(file, join(release, name))
  }
for (const [name, parts] of feeds) {
  const [first] = parts
  if (parts.some(({ version }) => version !== first.version)) throw new Error(`${name} is of several versions`)
  const files = parts.flatMap((part) => part.files)
  for (const { url, sha512, size } of files) await compare(name, join(release, url), sha512, size)
  writeFileSync(join(release, name), stringify({ ...first, files }))
  console.log(`${name}: ${files.map(({ url }) => url).join(', ')}`)
}

async function compare(name, file, sha512, size) {
  if (!existsSync(file)) throw new Error(`${name} names ${file}, which nobody has made`)
  const sum = createHash('sha512')
  await pipeline(createReadStream(file), sum)
  // electron-builder writes no size for files without a block map.
  const isOther = sum.digest('base64') !== sha512 || (size !== undefined && statSync(file).size !== size)
  if (isOther) throw new Error(`${file} is not what ${name} says`)
}
