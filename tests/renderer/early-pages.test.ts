import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../../renderer', file), 'utf8')

test('what is fetched early knows the pages of who is not signed in (docs/decisions/2026-11-22-a-light-first-view.md)', () => {
  const routes = Array.from(
    textOf('page-routes.tsx').matchAll(/path: '([^']+)',\s*access: 'guest'/g),
    ([, path]) => path,
  )
  const [, known = ''] = /isForGuests = \[([^\]]+)\]/.exec(textOf('public/early.js')) ?? []
  expect(Array.from(known.matchAll(/'([^']+)'/g), ([, path]) => path)).toEqual(routes)
})
