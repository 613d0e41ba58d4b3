import { expect, it } from 'vitest'
import { freshDrawings, freshTasks } from '../../../renderer/components/task-log/task-filter.ts'

const now = new Date(2026, 10, 21, 12, 34, 56)
const at = (...[day, ...time]: [day: number, ...time: number[]]) => new Date(2026, 10, day, ...time).getTime() / 1000

it('drawings begin with the past 30 days up to an hour ahead (docs/reference/screens.md#drawing-and-task-logs)', () => {
  const start = new Date(2026, 9, 22, 12, 34, 56).getTime() / 1000
  expect(freshDrawings(now)).toEqual({ channel: 0, taskId: '', start, end: at(21, 13, 34, 56) })
})

it('tasks begin with today’s midnight, up to an hour ahead (docs/reference/screens.md#drawing-and-task-logs)', () => {
  expect(freshTasks(now)).toEqual({ channel: 0, taskId: '', start: at(21), end: at(21, 13, 34, 56) })
})
