import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { APP_ID } from '../../main/keychain.ts'
import { LOCKED_OUT_PAGE, type LockedOutResult, lockedOutAction, lockedOutPage } from '../../main/locked-out-page.ts'
import { type Installation, ownCommand } from '../../main/own-command.ts'

const root = join(import.meta.dirname, '../..')

describe('the page for a person who is locked out (docs/operations.md#locked-out)', () => {
  const actionsIn = (page: string) =>
    [...page.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => lockedOutAction(address) ?? 'nothing')
  const recoveries = ['password', 'factors', 'login']

  it.each([
    [undefined, 'without a password', recoveries],
    [{ kind: 'working' }, 'Please wait', []],
    [{ kind: 'password', username: '<root>', password: 'w8LmpPq1' }, 'w8LmpPq1', ['open', 'copy', ...recoveries]],
    [{ kind: 'factors', username: '<root>' }, 'without a second factor', ['open', ...recoveries]],
    [{ kind: 'login' }, 'Password login is on', ['open', ...recoveries]],
    [{ kind: 'failed', said: 'no <setup>' }, 'could not be done', recoveries],
  ] as const)('after %j shows the state and the possible actions, in both languages', (result, text, actions) => {
    const view = { result: result as LockedOutResult | undefined, command: "'/opt/a b/switchyard'" }
    const page = lockedOutPage(view, 'en')
    expect(page).toContain(text)
    expect(actionsIn(page)).toEqual([...actions])
    expect(page).toContain('&#39;/opt/a b/switchyard&#39; reset-2fa &#60;name&#62;')
    expect(page).not.toMatch(/<root>|<setup>|\{\w+\}/)
    const chinese = lockedOutPage(view, 'zh')
    expect(chinese).toContain('<html lang="zh-CN">')
    expect(chinese).not.toMatch(/\{\w+\}|super administrator/)
  })

  it('accepts no other address for a button', () => {
    for (const address of [`${LOCKED_OUT_PAGE}/other`, 'https://example.com/password', 'nothing'])
      expect(lockedOutAction(address)).toBeUndefined()
  })
})

describe('the command of an installation (docs/reference/command-line.md#command-name)', () => {
  const there = (isThere: boolean): Omit<Installation, 'platform'> => ({
    appImage: undefined,
    resources: '/opt/My Switchyard/resources',
    isThere: () => isThere,
  })

  it.each<[string, Installation, string]>([
    ['a deb or an rpm', { ...there(true), platform: 'linux' }, 'switchyard'],
    ['a folder', { ...there(false), platform: 'linux' }, "'/opt/My Switchyard/resources/switchyard'"],
    [
      'an AppImage',
      { ...there(true), platform: 'linux', appImage: '/home/a/S.AppImage' },
      '/home/a/S.AppImage --command-line --',
    ],
    [
      'macOS',
      { ...there(false), platform: 'darwin', resources: '/Applications/Switchyard.app/Contents/Resources' },
      '/Applications/Switchyard.app/Contents/Resources/switchyard',
    ],
    [
      'Windows',
      { ...there(false), platform: 'win32', resources: 'C:\\S\\resources' },
      '"C:\\S\\resources\\switchyard.cmd"',
    ],
  ])('of %s', (_, installation, command) => expect(ownCommand(installation)).toBe(command))
})

describe('electron-builder.yml', () => {
  const build = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))

  it('has the id of the program, which Windows compares with that of its shortcuts', () => {
    expect(build.appId).toBe(APP_ID)
    expect(readFileSync(join(root, 'main/index.ts'), 'utf8')).toContain('app.setAppUserModelId(APP_ID)')
  })

  it('brings the command to each system', () => {
    for (const system of ['linux', 'mac', 'win']) {
      const [{ from, to }] = build[system].extraResources
      expect(existsSync(join(root, from))).toBe(true)
      expect(to).toBe(system === 'win' ? 'switchyard.cmd' : 'switchyard')
    }
  })
})
