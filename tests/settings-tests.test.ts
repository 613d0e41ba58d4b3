import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { optionKeys } from '../shared/options/index.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/reference/settings-tests.md'), 'utf8')
const ofAccounts = readFileSync(join(root, 'docs/reference/accounts-tests.md'), 'utf8')
const operations = join(root, 'docs/reference/operations-tests')
const ofOperations = readdirSync(operations).map((file) => readFileSync(join(operations, file), 'utf8'))
const rowsOf = (text: string) =>
  Array.from(text.matchAll(/^\| (?!what \||option \||---)(.+) \| (.+) \|$/gm), ([, what = '', shown = '']) => ({
    what,
    shown,
  }))
const rows = rowsOf(page)
/** Each test as the pages name it: its file, and its title as it is written there. */
const tests = [...rows, ...rowsOf(ofAccounts), ...ofOperations.flatMap(rowsOf)].flatMap(({ what, shown }) =>
  Array.from(shown.matchAll(/`(tests\/[\w./-]+)` › (.+?)(?= · `tests| · \(|$)/g), ([, file = '', title = '']) => ({
    what,
    file,
    title,
  })),
)
const ofOptions = page.slice(page.indexOf('## What each option does'))
const texts = new Map<string, string>()

describe('the page of tests (docs/reference/settings-tests.md#what-each-option-does)', () => {
  it.each(tests)('$what: $file has “$title”', ({ file, title }) => {
    expect(existsSync(join(root, file)), file).toBe(true)
    expect(titleIn(file, title)).toBe(true)
  })

  it('has a test in each line', () => {
    expect(rows.filter(({ shown }) => !shown.includes('` › '))).toEqual([])
    expect(rows.length).toBeGreaterThan(100)
    const ofPeople = rowsOf(ofAccounts)
    expect(ofPeople.filter(({ shown }) => !shown.includes('` › ')).map(({ shown }) => shown)).toEqual([])
    expect(ofPeople.length).toBeGreaterThanOrEqual(110)
    const ofAreas = ofOperations.flatMap(rowsOf)
    expect(ofAreas.filter(({ shown }) => !shown.includes('` › ')).map(({ shown }) => shown)).toEqual([])
    expect(ofAreas.length).toBeGreaterThanOrEqual(30)
  })

  it('has every option', () => {
    const named = Array.from(ofOptions.matchAll(/`([\w.]+)`(?=[,| ])/g), ([, key]) => key).filter(
      (key) => !key?.startsWith('tests'),
    )
    const missing = optionKeys.filter((key) => !named.includes(key))
    expect(missing).toEqual([])
  })
})

/** Whether a file has a test of that title; a page of the manual may be cited behind it. */
function titleIn(file: string, title: string): boolean {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return ["'", '"', '`'].some(
    (quote) => text.includes(`${quote}${title}${quote}`) || text.includes(`${quote}${title} (docs/`),
  )
}
