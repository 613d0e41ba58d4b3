import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type InstalledAs, installedAs } from '../../main/update/installed-as.ts'
import { releasesPage } from '../../main/update/releases-page.ts'
import { choicesForUpdate, compareVersions, installerName, rollbackOf, startedAs } from '../../main/update/rollback.ts'
import { actionIn, UPDATE_PAGE, type UpdateView, updatePage } from '../../main/update/update-page.ts'
import type { UpdateState } from '../../main/update/updates.ts'
import { aFolder } from '../process/house.ts'

const root = join(import.meta.dirname, '../..')
const update = { version: '2.0.0', notes: 'Faster.', releasedAt: '2026-12-01' }
const view = (state: UpdateState, more: Partial<UpdateView> = {}): UpdateView => ({
  version: '1.0.0',
  state,
  isDaily: false,
  rollback: undefined,
  installedAs: 'win',
  installer: installerName('1.0.0', 'x64', 'win'),
  hasPage: true,
  ...more,
})
const actionsIn = (page: string) =>
  [...page.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => actionIn(address) ?? 'nothing')

describe('the page of updates', () => {
  it.each([
    [{ kind: 'idle' }, 'This is Switchyard 1.0.0.', ['check', 'close', 'page']],
    [{ kind: 'checking' }, 'Looking for a newer version…', ['close']],
    [{ kind: 'newest' }, 'Switchyard 1.0.0 is the latest version.', ['check', 'close', 'page']],
    [{ kind: 'found', update }, 'Switchyard 2.0.0 is available.', ['download', 'close', 'page']],
    [{ kind: 'downloading', update, percent: 40 }, 'Downloading Switchyard 2.0.0: 40%', ['close', 'cancel']],
    [{ kind: 'ready', update }, 'Switchyard 2.0.0 is ready to install.', ['install', 'close', 'page']],
    [{ kind: 'backingUp', update }, 'Making a backup before the update…', ['close']],
    [{ kind: 'restarting', update }, 'Waiting for running requests to finish.', ['close']],
    [{ kind: 'unavailable', why: 'package' }, 'This copy came from a deb or rpm package', ['page', 'close']],
    [{ kind: 'unavailable', why: 'closedFolder' }, 'in a folder that cannot be written', ['page', 'close']],
    [{ kind: 'unavailable', why: 'unsigned' }, 'This copy is not signed', ['page', 'close']],
    [
      { kind: 'failed', step: 'backUp', message: 'no room <here>', update },
      'because the backup before it failed. Nothing has been changed.',
      ['install', 'check', 'close', 'page'],
    ],
    [
      { kind: 'failed', step: 'check', message: 'offline' },
      'The check for updates failed.',
      ['check', 'close', 'page'],
    ],
  ] as const)('of %j shows the state and the possible actions, in both languages', (state, text, actions) => {
    const page = updatePage(view(state), 'en')
    expect(page).toContain(text)
    expect(actionsIn(page)).toEqual([...actions, ...(state.kind === 'unavailable' ? [] : ['daily'])])
    const chinese = updatePage(view(state), 'zh')
    expect(chinese).toContain('<html lang="zh-CN">')
    expect(chinese).not.toMatch(/Switchyard (is|can)|\{\w+\}/)
    expect(page).not.toContain('<here>')
  })

  it('shows the content of a feed as text, and runs nothing', () => {
    const notes = '<script>alert(1)</script><img src=x onerror=alert(1)> & "more"'
    const page = updatePage(view({ kind: 'found', update: { ...update, notes } }), 'en')
    expect(page).not.toMatch(/<script|<img/)
    expect(page).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
    expect(page).toContain("default-src 'none'")
    expect(updatePage(view({ kind: 'found', update: { ...update, notes: '' } }), 'en')).toContain('has no notes')
  })

  it('shows when it checks, and lets that be changed', () => {
    expect(updatePage(view({ kind: 'idle' }), 'en')).toContain('only when you ask')
    const daily = updatePage(view({ kind: 'idle' }, { isDaily: true, hasPage: false }), 'en')
    expect(daily).toContain('every day')
    expect(actionsIn(daily)).toEqual(['check', 'close', 'notDaily'])
  })

  it.each([
    ['win', 'run the installer'],
    ['mac', 'move the older app into Applications'],
    ['appImage', 'make the older AppImage executable'],
    ['deb', 'sudo apt install --allow-downgrades ./switchyard-1.0.0-win-x64.exe'],
    ['rpm', 'sudo dnf downgrade ./switchyard-1.0.0-win-x64.exe'],
  ] as const)('explains how to go back on %s, with the backup from before', (installedAs, how) => {
    const rollback = { from: '1.0.0', to: '2.0.0', backup: 'switchyard-20261201T100000Z.db', atSeconds: 1_800_000_000 }
    const page = updatePage(view({ kind: 'idle' }, { version: '2.0.0', rollback, installedAs }), 'en')
    for (const expected of [
      'Go back to 1.0.0',
      how,
      'switchyard-20261201T100000Z.db',
      'Download switchyard-1.0.0-win-x64.exe',
    ])
      expect(page).toContain(expected)
    const byHand = { ...rollback, backup: undefined }
    expect(updatePage(view({ kind: 'idle' }, { rollback: byHand, installedAs }), 'en')).toContain('lists the backups')
  })

  it('accepts only its own links', () => {
    expect(actionIn(`${UPDATE_PAGE}/install`)).toBe('install')
    for (const address of [`${UPDATE_PAGE}/format`, 'https://evil.example/install', 'install', ''])
      expect(actionIn(address)).toBeUndefined()
  })
})

describe('the comparison of a start with the last one (docs/reference/updates.md#downgrade)', () => {
  const backup = 'switchyard-20261201T100000Z.db'

  it('shows nothing on the first day, and reports an update once, with the backup from before', () => {
    const first = startedAs('1.0.0', {}, 100)
    expect(first).toEqual({ choices: { lastVersion: '1.0.0', way: undefined } })
    const applied = { ...first.choices, ...choicesForUpdate('1.0.0', update, backup, 200) }
    const second = startedAs('2.0.0', applied, 300)
    expect(second.updatedFrom).toBe('1.0.0')
    const now = { ...applied, ...second.choices }
    expect(rollbackOf('2.0.0', now)).toMatchObject({ from: '1.0.0', to: '2.0.0', backup, atSeconds: 200 })
    expect(startedAs('2.0.0', now, 400)).toEqual({ choices: {} })
  })

  it('notices a version that a person has installed, and drops the way back with an older one', () => {
    const up = startedAs('1.1.0', { lastVersion: '1.0.0', ...choicesForUpdate('0.9.0', update, backup, 1) }, 300)
    expect(up).toEqual({
      updatedFrom: '1.0.0',
      choices: { lastVersion: '1.1.0', way: { from: '1.0.0', to: '1.1.0', atSeconds: 300 } },
    })
    const back = startedAs('1.0.0', { lastVersion: '1.1.0', ...up.choices }, 400)
    expect(back).toEqual({ choices: { lastVersion: '1.0.0', way: undefined } })
    expect(rollbackOf('1.0.0', back.choices)).toBeUndefined()
  })

  it('reports once that an update was not installed', () => {
    const applied = { lastVersion: '1.0.0', ...choicesForUpdate('1.0.0', update, backup, 200) }
    const { missed, choices } = startedAs('1.0.0', applied, 300)
    expect(missed).toBe('2.0.0')
    expect(startedAs('1.0.0', { ...applied, ...choices }, 400)).toEqual({ choices: {} })
    const later = startedAs('2.0.0', { ...applied, ...choices }, 500)
    expect(rollbackOf('2.0.0', later.choices)).toMatchObject({ backup })
  })

  it('knows which version is later', () => {
    const ordered = ['0.9.9', '1.0.0-beta.1', '1.0.0', '1.0.10', '1.2.0', '10.0.0']
    for (const [index, version] of ordered.entries()) {
      expect(compareVersions(version, version)).toBe(0)
      for (const later of ordered.slice(index + 1)) expect(compareVersions(later, version)).toBeGreaterThan(0)
    }
  })
})

describe('the download for people', () => {
  const names = (installed: InstalledAs) => ['x64', 'arm64'].map((arch) => installerName('1.2.3', arch, installed))

  it('is of the kind that is installed here', () => {
    const kind = (platform: NodeJS.Platform, isAppImage: boolean, ...there: string[]) =>
      installedAs(platform, isAppImage, (path) => there.includes(path))
    const [ofDpkg, ofRpm] = ['/var/lib/dpkg/info/switchyard.list', '/usr/lib/sysimage/rpm']
    expect([kind('win32', false), kind('darwin', false), kind('linux', true, ofRpm)]).toEqual([
      'win',
      'mac',
      'appImage',
    ])
    expect([kind('linux', false, ofRpm), kind('linux', false, '/var/lib/rpm')]).toEqual(['rpm', 'rpm'])
    expect([kind('linux', false, ofDpkg, ofRpm), kind('linux', false)]).toEqual(['deb', 'deb'])
  })

  it.each([
    ['deb', 'sudo apt install --allow-downgrades ./switchyard-0.9.0-linux-amd64.deb', 'dnf'],
    ['rpm', 'sudo dnf downgrade ./switchyard-0.9.0-linux-x86_64.rpm', 'apt'],
  ] as const)('as a %s goes back by its own package manager', (kind, expected, other) => {
    const rollback = { from: '0.9.0', to: '1.0.0', atSeconds: 0 }
    const shown = { installedAs: kind, installer: installerName('0.9.0', 'x64', kind), rollback }
    for (const locale of ['en', 'zh'] as const) {
      const page = updatePage(view({ kind: 'newest' }, shown), locale)
      expect(page).toContain(expected)
      expect(page).not.toContain(`sudo ${other}`)
    }
  })

  it('is named as electron-builder names it, in README as well', async () => {
    const { artifactName } = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))
    expect(artifactName.replaceAll('$', '')).toBe('{name}-{version}-{os}-{arch}.{ext}')
    const { Arch, getArtifactArchName } = await import('builder-util')
    const named = (os: string, ext: string) =>
      [Arch.x64, Arch.arm64].map((arch) => `switchyard-1.2.3-${os}-${getArtifactArchName(arch, ext)}.${ext}`)
    expect(names('win')).toEqual(named('win', 'exe'))
    expect(names('mac')).toEqual(named('mac', 'dmg'))
    expect(names('appImage')).toEqual(named('linux', 'AppImage'))
    expect(names('deb')).toEqual(named('linux', 'deb'))
    expect(names('rpm')).toEqual(named('linux', 'rpm'))
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const all = [
      ['win', 'exe'],
      ['mac', 'dmg'],
      ['linux', 'AppImage'],
      ['linux', 'deb'],
      ['linux', 'rpm'],
    ] as const
    for (const [os, ext] of all)
      for (const name of named(os, ext)) expect(readme).toContain(`\`${name.replace('1.2.3', 'X.Y.Z')}\``)
  })

  it('is found where the package names it, only over HTTPS', async () => {
    const folder = await aFolder()
    const pageOf = (page: unknown) => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ releasesPage: page }))
      return releasesPage(folder)
    }
    expect(pageOf('https://example.org/releases')).toBe('https://example.org/releases')
    for (const page of [undefined, '', 7, 'http://example.org', 'file:///etc', 'https://'])
      expect(pageOf(page)).toBeUndefined()
    expect(releasesPage(join(folder, 'nowhere'))).toBeUndefined()
  })
})
