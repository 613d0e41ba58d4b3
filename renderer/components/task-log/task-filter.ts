/** What a list of drawings or tasks is narrowed to; 0, empty texts and undefined do not narrow. Times are unix seconds. */
export type TaskFilter = Readonly<{
  /** Channel id; administrators only. */
  channel: number
  taskId: string
  start: number | undefined
  end: number | undefined
}>

/** Whether it leaves out more than its time range does. */
export const isFiltered = ({ channel, taskId }: TaskFilter): boolean => channel > 0 || taskId !== ''

/** All of its time range. */
export const unfiltered = ({ start, end }: TaskFilter): TaskFilter => ({ channel: 0, taskId: '', start, end })
