import { startOfDay, subDays } from 'date-fns'
import { shownEnd } from '../time-range/shown-end.ts'

/** What a list of drawings or tasks is narrowed to; 0, empty texts and undefined do not narrow. Times are unix seconds. */
export type TaskFilter = Readonly<{
  /** Channel id; administrators only. */
  channel: number
  taskId: string
  start: number | undefined
  end: number | undefined
}>

const DAYS = 30

/** What the drawings begin with: the past 30 days up to an hour from now (docs/reference/screens.md#drawing-and-task-logs). */
export const freshDrawings = (now = new Date()): TaskFilter => allFrom(subDays(now, DAYS), now)

/** What the tasks begin with: since today's midnight, up to an hour from now. */
export const freshTasks = (now = new Date()): TaskFilter => allFrom(startOfDay(now), now)

const allFrom = (start: Date, now: Date): TaskFilter =>
  unfiltered({ start: Math.floor(start.getTime() / 1000), end: shownEnd(now) })

/** Whether it leaves out more than its time range does. */
export const isFiltered = ({ channel, taskId }: TaskFilter): boolean => channel > 0 || taskId !== ''

/** All of its time range. */
export const unfiltered = ({ start, end }: Pick<TaskFilter, 'start' | 'end'>): TaskFilter => ({
  channel: 0,
  taskId: '',
  start,
  end,
})
