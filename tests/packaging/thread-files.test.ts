import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('the entry of a thread is a separate file that the build knows by its name (scripts/build/threads.ts)', () => {
  const sources = globSync('{gateway,main,shared}/**/*.{ts,mjs}', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const starting = sources.filter((path) => /\bnew Worker\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(starting.length).toBeGreaterThan(5)
  expect(starting.filter((path) => !/^gateway\/.*-thread\.ts$/.test(path))).toEqual([])
})
