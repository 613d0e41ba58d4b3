import { expect, test } from 'vitest'
import { pageRoutes } from '../../renderer/page-routes.tsx'

test('no two pages share a key (docs/reference/design.md#keyboard)', () => {
  const keys = pageRoutes.flatMap(({ menu }) => (menu ? [menu.key] : []))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})
