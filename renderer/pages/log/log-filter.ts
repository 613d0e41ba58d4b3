import { startOfToday } from 'date-fns'

/** What the usage log is narrowed to; empty texts, 0 and undefined do not narrow. Times are unix seconds. */
export type LogFilter = Readonly<{
  type: number
  start: number | undefined
  end: number | undefined
  token: string
  model: string
  group: string
  /** Channel id; administrators only. */
  channel: number
  /** Administrators only. */
  username: string
}>

const HOUR_S = 3600

/** Everything from today 00:00 to an hour from now (docs/reference/screens.md#usage-log). */
export const defaultFilter = (): LogFilter => ({
  type: 0,
  start: startOfToday().getTime() / 1000,
  end: Math.floor(Date.now() / 1000) + HOUR_S,
  token: '',
  model: '',
  group: '',
  channel: 0,
  username: '',
})

/** Whether it leaves out more than its time range does. */
export const isFiltered = ({ type, token, model, group, channel, username }: LogFilter): boolean =>
  type !== 0 || channel !== 0 || [token, model, group, username].some((text) => text !== '')

/** The query of the calls that everybody may make. */
export const ownQuery = ({ type, start, end, token, model, group }: LogFilter) => ({
  type,
  token_name: token,
  model_name: model,
  group,
  start_timestamp: start,
  end_timestamp: end,
})

/** The query of the administrators' calls. */
export const allQuery = (filter: LogFilter) => ({
  ...ownQuery(filter),
  username: filter.username,
  channel: filter.channel,
})
