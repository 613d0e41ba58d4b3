import { expect, it } from 'vitest'
import { rowsOf } from '../../../../gateway/relay/tasks/task-ids.ts'

it('looks up hundreds of ids in steps, between which other requests run (docs/reference/tasks.md)', async () => {
  let others = 0
  const find = async (id: string) => {
    setImmediate(() => {
      others = Math.max(others, Number(id))
    })
    return undefined
  }
  const ids = Array.from({ length: 500 }, (_, index) => String(index))
  expect(await rowsOf(ids, { grow: () => {}, giveBack: () => {}, isMuchOfAccount: false }, find)).toEqual([])
  expect(others).toBe(474)
})
