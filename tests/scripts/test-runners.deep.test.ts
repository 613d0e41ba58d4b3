import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runVitest } from '../../scripts/test-runners.mjs'

/** A test in two suites that fails in its first run, and an error outside any test. */
const flaky = `
import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
describe('outer (a)', () => {
  describe('inner', () => {
    it('fails [once]', () => {
      const mark = new URL('mark', import.meta.url)
      if (existsSync(mark)) return
      writeFileSync(mark, '')
      void Promise.reject(new Error('stray'))
      expect.unreachable()
    })
    it('fails [once] or more', () => {})
  })
})
`

it('a failed test runs once more separately; an error outside of every test stays a failure', async () => {
  const root = join(import.meta.dirname, '../..')
  // Vitest finds tests only within tests/.
  const folder = await mkdtemp(join(root, 'tests/scripts/temporary-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = relative(root, join(folder, 'flaky.test.ts'))
  await writeFile(join(root, file), flaky)

  const first = await runVitest({ full: false, test: { file }, output: [] })
  expect(first).toMatchObject([
    { title: 'outer (a) inner fails [once]', status: 'failed' },
    { title: 'outer (a) inner fails [once] or more', status: 'passed' },
    { title: 'an error outside of every test', status: 'failed', message: expect.stringContaining('stray') },
  ])
  expect(first[2]).not.toHaveProperty('pattern')

  const again = await runVitest({ full: false, test: { file, pattern: first[0]?.pattern }, output: [] })
  expect(again.map(({ status }) => status)).toEqual(['passed', 'skipped'])
})
