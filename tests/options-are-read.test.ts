import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type OptionKey, optionKeys, options } from '../shared/options/index.ts'
import { isAllWaiting, isWaiting, waiting } from '../shared/options/waiting.ts'

/** What keeps, guards, shows and resets options, whatever they mean. */
const machinery = [
  'shared/options/',
  'shared/messages/',
  'gateway/settings/',
  'gateway/api/option',
  'gateway/commands.ts',
  'gateway/accounts/root-guard.ts',
  'renderer/messages/',
  'renderer/api/stored',
  'renderer/components/option-field/',
  'renderer/pages/setting/',
]

const root = join(import.meta.dirname, '..')
const sources = ['gateway', 'main', 'renderer', 'shared']
  .flatMap(filesIn)
  .filter((path) => !machinery.some((place) => path.startsWith(place)))
  .map((path) => ({ path, code: withoutComments(readFileSync(join(root, path), 'utf8')) }))
const listed = Object.values(waiting).flat()

/** Where an option is read: by its key, or in the console by the name it has in the public status. */
function readersOf(key: OptionKey): string[] {
  const byKey = new RegExp(`(['"\`])${key.replaceAll('.', '\\.')}\\1`)
  const name = options[key].publishAs
  const byName =
    name && new RegExp(String.raw`\bstatus\b[^;\n]{0,60}[.?]\.?${name}\b|\{[^{}=]*\b${name}\b[^{}=]*\} = use\w*Status`)
  return sources
    .filter(({ path, code }) => byKey.test(code) || (byName && path.startsWith('renderer/') && byName.test(code)))
    .map(({ path }) => path)
}

describe('the options of the installation (docs/decisions/2026-11-22-options-without-a-defined-effect.md)', () => {
  it.each(optionKeys.filter((key) => !listed.includes(key)))('%s is read by what is no machinery', (key) => {
    expect(readersOf(key)).not.toEqual([])
  })

  it.each(listed)('%s still waits for its part, else it leaves the list', (key) => {
    expect(readersOf(key)).toEqual([])
  })

  it('wait for their parts in no greater number than before, each once', () => {
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.length).toBeLessThanOrEqual(10)
  })

  it('that wait are told from those that work, and so are panels in which nothing works', () => {
    expect(listed.filter((key) => !isWaiting(key))).toEqual([])
    expect((['RetryTimes', 'PasswordLoginEnabled', 'PayAddress'] as const).map(isWaiting)).toEqual([
      false,
      false,
      false,
    ])
    expect((['system/oidc', 'system/payment', 'system/login', 'operation/quota'] as const).map(isAllWaiting)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
