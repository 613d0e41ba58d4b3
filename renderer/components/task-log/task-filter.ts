import { startOfDay, subDays } from 'date-fns'
import { shownEnd } from '../time-range/shown-end.ts'

/** The filter of drawings or tasks; 0, empty and undefined fields do not filter. Times are unix seconds. */
export type TaskFilter = Readonly<{
  /** Channel id; administrators only. */
  channel: number
  taskId: string
  start: number | undefined
  end: number | undefined
}>

const DAYS = 30

/**
 * Default range of drawings: the past 30 days until an hour from now
 * (docs/reference/screens.md#drawing-and-task-logs).
 */
export const freshDrawings = (now = new Date()): TaskFilter => allFrom(subDays(now, DAYS), now)

/** Default range of tasks: from today's midnight until an hour from now. */
export const freshTasks = (now = new Date()): TaskFilter => allFrom(startOfDay(now), now)

const allFrom = (start: Date, now: Date): TaskFilter =>
  unfiltered({ start: Math.floor(start.getTime() / 1000), end: shownEnd(now) })

export const isFiltered = ({ channel, taskId }: TaskFilter): boolean => channel > 0 || taskId !== ''

/** Only the time range of a filter. */
export const unfiltered = ({ start, end }: Pick<TaskFilter, 'start' | 'end'>): TaskFilter => ({
  channel: 0,
  taskId: '',
  start,
  end,
})
