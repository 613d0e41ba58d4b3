import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it, vi } from 'vitest'
import { speak } from '../../main/language.ts'
import { contextTemplate, type MenuActions, menuTemplate } from '../../main/menu.ts'
import { en } from '../../main/messages/en.ts'
import { zh } from '../../main/messages/zh.ts'
import { localeOf } from '../../shared/messages/locales.ts'

type Item = MenuItemConstructorOptions

const noActions = (): MenuActions => ({
  about: vi.fn(),
  checkUpdates: vi.fn(),
  openFolder: vi.fn(),
  openLogs: vi.fn(),
  lockedOut: vi.fn(),
  copyAddress: vi.fn(),
  useUsualPort: vi.fn(),
  quit: vi.fn(),
})
const template = (locale: 'en' | 'zh', more: { platform?: NodeJS.Platform; usualPort?: number } = {}) =>
  menuTemplate({
    ...{ translate: speak(locale), platform: 'linux', actions: noActions(), usualPort: undefined },
    notices: { shown: () => ['updates'], set: vi.fn() },
    ...more,
  })
const itemsOf = ({ submenu }: Item): Item[] => (Array.isArray(submenu) ? submenu : [])
const all = (items: Item[]): Item[] => items.flatMap((item) => [item, ...all(itemsOf(item))])
const labels = (items: Item[]) => all(items).flatMap(({ type, label }) => (type === 'separator' ? [] : [label]))

describe('the native menu', () => {
  it.each(['linux', 'darwin', 'win32'] as const)(
    'has our label on every entry of %s, in both languages',
    (platform) => {
      const [english, chinese] = [template('en', { platform }), template('zh', { platform })].map(labels)
      expect([...english!, ...chinese!]).not.toContain(undefined)
      expect(chinese).toHaveLength(english!.length)
      expect(chinese!.filter((label) => english!.includes(label))).toEqual(['Switchyard'])
    },
  )

  it('offers the functions of the program, and no developer tools', () => {
    const [program] = template('en')
    expect(labels(itemsOf(program!))).toEqual([
      'About Switchyard',
      'Check for updates…',
      'Open data folder',
      'Open logs',
      'Copy address',
      'Locked out?',
      'Notifications',
      'Channels that go off or on',
      'Balances and budgets',
      'Updates',
      'Quit Switchyard',
    ])
    const roles = all(template('en')).flatMap(({ role }) => (role ? [role] : []))
    expect(roles).toEqual(expect.arrayContaining(['copy', 'paste', 'reload', 'close']))
    expect(roles).not.toContain('toggleDevTools')
  })

  it('offers to return to the usual port while another is used', () => {
    expect(labels(template('en', { usualPort: 6411 }))).toContain('Use port 6411 again')
  })
})

describe('a right click', () => {
  const offers = (isEditable: boolean, hasSelection: boolean) =>
    labels(contextTemplate(speak('en'), { isEditable, hasSelection }))

  it('offers editing in a field, copying from a selection and nothing elsewhere', () => {
    expect(offers(true, false)).toEqual(['Cut', 'Copy', 'Paste', 'Select all'])
    expect(offers(false, true)).toEqual(['Copy'])
    expect(offers(false, false)).toEqual([])
  })
})

describe('the texts of the desktop program', () => {
  const placeholdersOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

  it('are complete in both languages, with the same placeholders', () => {
    const keys = Object.keys(en) as (keyof typeof en)[]
    expect(Object.keys(zh).toSorted()).toEqual(keys.toSorted())
    for (const key of keys) {
      expect(zh[key].trim(), key).not.toBe('')
      expect([...new Set(placeholdersOf(zh[key]))], key).toEqual([...new Set(placeholdersOf(en[key]))])
    }
  })

  it('follow the language of the system and of the page', () => {
    expect(['zh-CN', 'zh', 'ZH-Hant-TW', 'en-GB', 'de', ''].map(localeOf)).toEqual([
      'zh',
      'zh',
      'zh-TW',
      'en',
      'en',
      'en',
    ])
    expect(speak('en')('menu.usualPort', { port: 6411 })).toBe('Use port 6411 again')
  })
})
