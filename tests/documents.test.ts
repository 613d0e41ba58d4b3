import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { optionKeys } from '../shared/options/index.ts'

const root = join(import.meta.dirname, '..')
const self = 'documents.test.ts'

describe('the page of security promises (docs/reference/security-tests.md)', () => {
  const page = readFileSync(join(root, 'docs/reference/security-tests.md'), 'utf8')
  const rows = Array.from(
    page.matchAll(/^\| (?!promise \||---)(.+) \| (.+) \|$/gm),
    ([, promise = '', tests = '']) => ({
      promise,
      files: Array.from(tests.matchAll(/`([\w./-]+)`/g), ([, file = '']) => file),
    }),
  )

  it('names a test file for each promise', () => {
    expect(rows.filter(({ files }) => files.length === 0)).toEqual([])
    expect(rows.length).toBeGreaterThan(250)
  })

  it('names only test files that exist', () => {
    const missing = rows.flatMap(({ files }) => files).filter((file) => !existsSync(join(root, 'tests', file)))
    expect(missing).toEqual([])
  })
})

describe('the options (docs/reference/options.md)', () => {
  it('are each set or read by a test', () => {
    const texts = readdirSync(join(root, 'tests'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && path !== self)
      .map((path) => readFileSync(join(root, 'tests', path), 'utf8'))
      .join('\n')
    expect(optionKeys.filter((key) => !new RegExp(`\\b${key.replaceAll('.', '\\.')}\\b`).test(texts))).toEqual([])
  })
})
