import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPlaywright, readVitest } from '../../scripts/test-runners.mjs'

const root = join(import.meta.dirname, '../..')
const at = (file: string) => join(root, file)

const named = (title: string) => ({ ancestorTitles: ['prices'], title, fullName: `prices ${title}` })

describe('the report of Vitest', () => {
  it('becomes a test each, with the pattern that runs it separately', () => {
    const assertionResults = [
      { ...named('are (a + b) × 2'), status: 'passed', duration: 1200, failureMessages: [] },
      { ...named('are whole'), status: 'failed', duration: 3, failureMessages: ['expected 1 to be 2'] },
      { ...named('wait'), status: 'pending', failureMessages: [] },
    ]
    const tests = readVitest({ testResults: [{ name: at('tests/a.test.ts'), status: 'failed', assertionResults }] })
    expect(tests).toMatchObject([
      { file: 'tests/a.test.ts', milliseconds: 1200, status: 'passed', message: '' },
      { title: 'prices are whole', status: 'failed', message: 'expected 1 to be 2' },
      { status: 'skipped', milliseconds: 0 },
    ])
    expect('prices > are (a + b) × 2').toMatch(new RegExp(tests[0]?.pattern ?? ''))
    expect('prices > are (a + b) × 22').not.toMatch(new RegExp(tests[0]?.pattern ?? ''))
  })

  it('counts a file that cannot be loaded, or whose set-up fails, as one failure', () => {
    const skipped = { ...named('begin never'), status: 'skipped', failureMessages: [] }
    const testResults = [
      { name: at('tests/a.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] },
      { name: at('tests/b.test.ts'), status: 'failed', message: 'beforeAll failed', assertionResults: [skipped] },
    ]
    expect(readVitest({ testResults })).toMatchObject([
      { file: 'tests/a.test.ts', status: 'failed', message: 'no such module' },
      { file: 'tests/b.test.ts', status: 'failed', message: 'beforeAll failed' },
      { title: 'prices begin never', status: 'skipped' },
    ])
  })
})

describe('the report of Playwright', () => {
  it('becomes a test each, named by its suites, with the line that runs it separately', () => {
    const spec = (title: string, line: number, status: string, errors: { message: string }[] = []) => ({
      ...{ file: 'console-log.spec.ts', title, line },
      tests: [{ status, results: [{ duration: 900, errors }] }],
    })
    const suites = [
      {
        title: 'console-log.spec.ts',
        specs: [spec('a list', 3, 'expected')],
        suites: [{ title: 'on a phone', specs: [spec('a card', 9, 'unexpected', [{ message: 'not visible' }])] }],
      },
    ]
    expect(readPlaywright({ suites, errors: [{ message: 'no worker' }] })).toEqual([
      { file: 'playwright.config.ts', title: 'the run', milliseconds: 0, status: 'failed', message: 'no worker' },
      {
        ...{ file: 'tests/e2e/console-log.spec.ts', title: 'a list', milliseconds: 900, status: 'passed', message: '' },
        pattern: 'tests/e2e/console-log.spec.ts:3',
      },
      {
        ...{ file: 'tests/e2e/console-log.spec.ts', title: 'on a phone a card', milliseconds: 900, status: 'failed' },
        ...{ message: 'not visible', pattern: 'tests/e2e/console-log.spec.ts:9' },
      },
    ])
  })
})
