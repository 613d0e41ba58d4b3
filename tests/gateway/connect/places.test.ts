import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { locationOnDisk } from '../../../gateway/connect/config-location.ts'
import { connectClients } from '../../../shared/connect/clients.ts'

const homes = { win32: 'C:\\Users\\ada', darwin: '/Users/ada', linux: '/home/ada' } as const
type System = keyof typeof homes

const pathsOn = (platform: System, variables: Record<string, string> = {}, there: readonly string[] = []) =>
  Object.fromEntries(
    connectClients
      .filter(({ files }) => files)
      .map(({ id, files = [] }) => [
        id,
        files.map((file) => {
          const place = locationOnDisk(file, { platform, home: homes[platform], variables }, (path) =>
            there.includes(path),
          )
          return 'path' in place ? place.path : place
        }),
      ]),
  )

it('lists the release with which each program was tried, as the manual does (docs/reference/connect.md#clients)', () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/reference/connect.md'), 'utf8')
  const rows = Array.from(manual.matchAll(/^\| ([^|]+) \| `~\/.* \| ([^|]+) \|$/gm), ([, name = '', tried = '']) => [
    name.split(',')[0],
    tried.split(' ')[0],
  ])
  const written = connectClients.filter(({ files }) => files)
  expect(rows).toEqual(written.map(({ name, tried = '–' }) => [name, tried]))
  expect(written.filter(({ tried = '0.0.0' }) => !/^\d+\.\d+\.\d+$/.test(tried))).toEqual([])
})

describe('the settings file of a program (docs/reference/connect.md#clients)', () => {
  it('is below the home on Linux', () => {
    expect(pathsOn('linux')).toEqual({
      'claude-code': ['/home/ada/.claude/settings.json'],
      codex: ['/home/ada/.codex/config.toml'],
      'gemini-cli': ['/home/ada/.gemini/.env', '/home/ada/.gemini/settings.json'],
      'qwen-code': ['/home/ada/.qwen/settings.json'],
      opencode: ['/home/ada/.config/opencode/opencode.json'],
      crush: ['/home/ada/.config/crush/crush.json'],
      goose: ['/home/ada/.config/goose/custom_providers/custom_switchyard.json', '/home/ada/.config/goose/config.yaml'],
      continue: ['/home/ada/.continue/config.yaml'],
      aider: ['/home/ada/.aider.conf.yml'],
      zed: ['/home/ada/.config/zed/settings.json'],
    })
  })

  it('has the same path on macOS', () => {
    const moved = Object.values(pathsOn('linux')).map((paths) =>
      paths.map((path) => String(path).replace('/home', '/Users')),
    )
    expect(Object.values(pathsOn('darwin'))).toEqual(moved)
  })

  it('is below the home or the roaming folder on Windows', () => {
    expect(pathsOn('win32', { APPDATA: 'D:\\Roaming' })).toEqual({
      'claude-code': ['C:\\Users\\ada\\.claude\\settings.json'],
      codex: ['C:\\Users\\ada\\.codex\\config.toml'],
      'gemini-cli': ['C:\\Users\\ada\\.gemini\\.env', 'C:\\Users\\ada\\.gemini\\settings.json'],
      'qwen-code': ['C:\\Users\\ada\\.qwen\\settings.json'],
      opencode: ['C:\\Users\\ada\\.config\\opencode\\opencode.json'],
      crush: ['C:\\Users\\ada\\.config\\crush\\crush.json'],
      goose: [
        'D:\\Roaming\\Block\\goose\\config\\custom_providers\\custom_switchyard.json',
        'D:\\Roaming\\Block\\goose\\config\\config.yaml',
      ],
      continue: ['C:\\Users\\ada\\.continue\\config.yaml'],
      aider: ['C:\\Users\\ada\\.aider.conf.yml'],
      zed: ['D:\\Roaming\\Zed\\settings.json'],
    })
    expect(pathsOn('win32').zed).toEqual(['C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json'])
  })

  it.each([
    ['CLAUDE_CONFIG_DIR', 'claude-code', '/own/settings.json'],
    ['CODEX_HOME', 'codex', '/own/config.toml'],
    ['GEMINI_CLI_HOME', 'gemini-cli', '/own/.gemini/.env'],
    ['QWEN_HOME', 'qwen-code', '/own/settings.json'],
    ['XDG_CONFIG_HOME', 'opencode', '/own/opencode/opencode.json'],
    ['CRUSH_GLOBAL_CONFIG', 'crush', '/own/crush.json'],
    ['XDG_CONFIG_HOME', 'goose', '/own/goose/custom_providers/custom_switchyard.json'],
    ['GOOSE_PATH_ROOT', 'goose', '/own/config/custom_providers/custom_switchyard.json'],
    ['CONTINUE_GLOBAL_DIR', 'continue', '/own/config.yaml'],
    ['XDG_CONFIG_HOME', 'zed', '/own/zed/settings.json'],
  ])('follows %s of %s', (variable, id, path) => {
    expect(pathsOn('linux', { [variable]: '/own' })[id]?.[0]).toBe(path)
  })

  it('follows the folder of Goose before all others, on every system', () => {
    const moved = { GOOSE_PATH_ROOT: '/goose', XDG_CONFIG_HOME: '/own' }
    const own = ['/goose/config/custom_providers/custom_switchyard.json', '/goose/config/config.yaml']
    expect([pathsOn('linux', moved).goose, pathsOn('darwin', moved).goose]).toEqual([own, own])
    const onWindows = pathsOn('win32', { GOOSE_PATH_ROOT: 'D:\\goose', APPDATA: 'D:\\Roaming' })
    expect(onWindows.goose?.[1]).toBe('D:\\goose\\config\\config.yaml')
  })

  it('takes the name that is there', () => {
    const there = '/home/ada/.config/opencode/opencode.jsonc'
    expect(pathsOn('linux', {}, [there]).opencode).toEqual([there])
  })

  it('is refused in a folder that depends on where the program starts, and on an unknown system', () => {
    expect(pathsOn('linux', { CODEX_HOME: 'own' }).codex).toEqual([{ problem: 'folder', detail: 'CODEX_HOME=own' }])
    expect(pathsOn('plan9' as System).codex).toEqual([{ problem: 'platform', detail: 'plan9' }])
  })
})
