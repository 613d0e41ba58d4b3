import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type OptionKey, optionKeys, options } from '../shared/options/index.ts'

/** Code that stores, guards, shows and resets options regardless of their meaning. */
const machinery = [
  'shared/options/',
  'shared/messages/',
  'gateway/settings/',
  'gateway/api/option',
  'gateway/command-line/accounts.ts',
  'gateway/accounts/guards/root-guard.ts',
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

/** Files that read an option: by its key, or in the console by its name in the public status. */
function readersOf(key: OptionKey): string[] {
  const byKey = new RegExp(`(['"\`])${key.replaceAll('.', '\\.')}\\1`)
  const name = options[key].publishAs
  const byName =
    name &&
    new RegExp(
      String.raw`\bflag: '${name}'|\bstatus\b[^;\n]{0,60}[.?]\.?${name}\b|\{[^{}=]*\b${name}\b[^{}=]*\} = use\w*Status`,
    )
  return sources
    .filter(({ path, code }) => byKey.test(code) || (byName && path.startsWith('renderer/') && byName.test(code)))
    .map(({ path }) => path)
}

describe('the options of the installation (docs/decisions/2026-11-22-options-without-a-defined-effect.md)', () => {
  it.each(optionKeys)('%s is read by code other than the machinery of options', (key) => {
    expect(readersOf(key)).not.toEqual([])
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
