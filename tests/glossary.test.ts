import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = ['gateway', 'shared', 'renderer', 'main']
/** Migrations keep the words of their time. */
const frozen = /^gateway\/store\/migrations\//

const files = folders.flatMap(filesIn).filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !frozen.test(path))
const refused = refusedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))

describe('the glossary', () => {
  it('refuses words that have another name here', () => {
    expect(refused.has('roster') && refused.has('patience')).toBe(true)
  })

  it('is followed by the names of files', () => {
    const strange = files.filter((path) => path.split(/[/.]/).some((part) => isRefused(part.split('-'))))
    expect(strange).toEqual([])
  })

  it('is followed by all names in code', () => {
    const strange = files
      .filter((path) => /\.(tsx?|mjs)$/.test(path))
      .flatMap((path) => namesIn(readFileSync(join(root, path), 'utf8')).map((name) => ({ path, name })))
      .filter(({ name }) => isRefused(partsOf(name)))
      .map(({ path, name }) => `${path}: ${name}`)
    expect(strange, 'the word for it is in docs/glossary.md').toEqual([])
  })

  it('sees names only in code', () => {
    const template = ['`deed $', '{strikes}`'].join('')
    const text = `const gauge = 'a roster' // patience\nfunction openRoster({ aSale }) {}\n/* doctor */ ${template}`
    expect(namesIn(text).filter((name) => isRefused(partsOf(name)))).toEqual([
      'gauge',
      'openRoster',
      'aSale',
      'strikes',
    ])
  })
})

/** Whether a name contains a refused word; words of two parts must be adjacent. */
function isRefused(parts: readonly string[]): boolean {
  return parts.some((part, at) => refused.has(part) || refused.has(`${part}-${parts[at + 1] ?? ''}`))
}

/** The column "not" of the words in the code. */
function refusedWords(page: string): ReadonlySet<string> {
  const rows = page.slice(page.indexOf('## Words in the code')).split('\n')
  const cells = rows.filter((row) => row.startsWith('| ')).map((row) => row.split('|')[3]?.trim() ?? '')
  return new Set(
    cells
      .slice(1)
      .flatMap((cell) => cell.split(',').map((word) => word.trim()))
      .filter((word) => word !== ''),
  )
}

/** The identifiers of a text, without comments and quoted text, but including template expressions. */
function namesIn(text: string): string[] {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, ' ')
    .replace(/`(?:[^`\\]|\\.)*`/g, (template) =>
      [...template.matchAll(/\$\{([^}]*)\}/g)].map(([, inner]) => inner).join(' '),
    )
    .replace(/(^|[^:])\/\/.*$/gm, '$1')
  return code.match(/[A-Za-z_$][\w$]*/g) ?? []
}

const partsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((part) => part.toLowerCase())

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}
