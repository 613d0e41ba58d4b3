import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { notesIn } from '../../scripts/release-notes.mjs'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'scripts/update-feed.mjs')
const sumOf = (text: string) => createHash('sha512').update(text).digest('base64')

/** A runner's artifacts: files, and a feed that names some of them. */
function leave(folder: string, runner: string, feed: string, files: Record<string, string>, more: object = {}) {
  mkdirSync(join(folder, runner))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, runner, name), text)
  const named = Object.entries(files).map(([url, text]) => ({ url, sha512: sumOf(text), size: text.length, ...more }))
  const told = { version: '1.2.3', files: named, path: named[0]?.url, sha512: named[0]?.sha512 }
  writeFileSync(join(folder, runner, feed), stringify({ ...told, releaseDate: '2026-12-01', releaseNotes: 'Faster.' }))
}

async function collect(fill: (folder: string) => void) {
  const folder = await aFolder()
  const [artifacts, release] = [join(folder, 'artifacts'), join(folder, 'release')]
  mkdirSync(artifacts)
  fill(artifacts)
  const { status, stderr } = spawnSync(process.execPath, [script, artifacts, release], { encoding: 'utf8' })
  return { status, stderr, release }
}

describe('the feed of a release (scripts/update-feed.mjs)', () => {
  it('has the files of both processors, where two runners have written one of the same name', async () => {
    const { status, stderr, release } = await collect((folder) => {
      leave(folder, 'win-x64', 'latest.yml', { 'switchyard-1.2.3-win-x64.exe': 'intel' })
      leave(folder, 'win-arm64', 'latest.yml', { 'switchyard-1.2.3-win-arm64.exe': 'arm' })
      leave(folder, 'linux-x64', 'latest-linux.yml', { 'switchyard-1.2.3-linux-x86_64.AppImage': 'linux' })
      // As electron-builder writes it for a deb.
      leave(folder, 'linux-arm64', 'latest-linux-arm64.yml', { 'a.deb': 'deb' }, { size: undefined })
      mkdirSync(join(folder, 'server'))
      writeFileSync(join(folder, 'server', 'sbom.cdx.json'), '{}')
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(readdirSync(release).sort()).toEqual([
      'a.deb',
      'latest-linux-arm64.yml',
      'latest-linux.yml',
      'latest.yml',
      'sbom.cdx.json',
      'switchyard-1.2.3-linux-x86_64.AppImage',
      'switchyard-1.2.3-win-arm64.exe',
      'switchyard-1.2.3-win-x64.exe',
    ])
    const feed = parse(readFileSync(join(release, 'latest.yml'), 'utf8'))
    expect(feed).toMatchObject({ version: '1.2.3', releaseNotes: 'Faster.' })
    expect(feed.files).toEqual([
      { url: 'switchyard-1.2.3-win-arm64.exe', sha512: sumOf('arm'), size: 3 },
      { url: 'switchyard-1.2.3-win-x64.exe', sha512: sumOf('intel'), size: 5 },
    ])
  })

  it.each([
    ['a sum is not true', { sha512: sumOf('else') }, 'is not what latest.yml says'],
    ['a size is not true', { size: 7 }, 'is not what latest.yml says'],
    ['a file is not there', { url: 'gone.exe' }, 'which nobody has made'],
  ])('is not made where %s', async (_, more, said) => {
    const { status, stderr } = await collect((folder) => leave(folder, 'win-x64', 'latest.yml', { 'a.exe': 'a' }, more))
    expect(status).not.toBe(0)
    expect(stderr).toContain(said)
  })
})

describe('the news of a release', () => {
  const changes = '# Changes\n\n## Unreleased\n\nSoon.\n\n## 1.2.3 - 2026-12-01\n\n- Faster.\n\n## 1.2.2\n\n- Old.\n'

  it('is its section of CHANGELOG.md, else the unreleased one, and bounded', () => {
    expect(notesIn(changes, '1.2.3')).toBe('- Faster.')
    expect(notesIn(changes, '1.2.4')).toBe('Soon.')
    expect(notesIn('# Changes\n', '1.2.4')).toBe('')
    expect(notesIn(`## Unreleased\n${'x'.repeat(9000)}`, '1.0.0').length).toBe(8001)
    expect(notesIn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), '99.0.0')).not.toBe('')
  })
})

describe('the settings of electron-builder', () => {
  const schema = JSON.parse(readFileSync(join(root, 'node_modules/app-builder-lib/scheme.json'), 'utf8'))
  const check = new Ajv({ strict: false, allErrors: false, validateFormats: false }).compile(schema)
  const settings = () => parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))
  /** Members that scripts/dist.mjs adds on the command line, parsed. */
  const added = {
    publish: { provider: 'generic', url: 'https://example.org/feed' },
    releaseInfo: { releaseNotesFile: 'dist/release-notes.md' },
    extraMetadata: { homepage: 'https://example.org', releasesPage: 'https://example.org/releases' },
  }

  it('are those in its schema, also with the additions of a release', () => {
    expect(check(settings()), JSON.stringify(check.errors)).toBe(true)
    expect(check({ ...settings(), ...added }), JSON.stringify(check.errors)).toBe(true)
    expect(check({ ...settings(), publishTo: 'nowhere' })).toBe(false)
    expect(check({ ...settings(), publish: { provider: 'generic', adress: 'x' } })).toBe(false)
    const script = readFileSync(join(root, 'scripts/dist.mjs'), 'utf8')
    for (const flag of [
      'publish.provider=generic',
      'publish.url=',
      'releaseInfo.releaseNotesFile=',
      'extraMetadata.releasesPage=',
    ])
      expect(script).toContain(`-c.${flag}`)
  })

  it('name no source of automatic updates', () => expect(settings().publish).toBeNull())
})
