import { startOfToday } from 'date-fns'

/**
 * What the usage log is narrowed to; empty texts, 0 and undefined do not narrow. Times are unix seconds. The names are found
 * by a part of them; one behind `=` is found as it is.
 */
export type LogFilter = Readonly<{
  type: number
  start: number | undefined
  end: number | undefined
  token: string
  model: string
  group: string
  /** Whether the answer was streamed. */
  stream: boolean | undefined
  /** Finds one request whenever it was made. */
  requestId: string
  /** Channel id; administrators only. */
  channel: number
  /** Administrators only. */
  username: string
  /** Whether more than one channel was asked; administrators only. */
  retried: boolean | undefined
}>

/** Everything from today 00:00 on (docs/reference/screens.md#usage-log). */
export const defaultFilter = (): LogFilter => ({
  type: 0,
  start: startOfToday().getTime() / 1000,
  end: undefined,
  token: '',
  model: '',
  group: '',
  stream: undefined,
  requestId: '',
  channel: 0,
  username: '',
  retried: undefined,
})

/** Whether it leaves out more than its time range does. */
export const isFiltered = ({ start: _start, end: _end, ...filter }: LogFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '' && value !== 0)

/** All of its time range. */
export const unfiltered = ({ start, end }: LogFilter): LogFilter => ({ ...defaultFilter(), start, end })

/** How many of the filters that are put away are set. */
export const countMore = ({ stream, retried, requestId }: LogFilter): number =>
  [stream !== undefined, retried !== undefined, requestId !== ''].filter(Boolean).length

/** The query of the calls that everybody may make. */
export const ownQuery = ({ type, start, end, token, model, group, stream, requestId }: LogFilter) => ({
  type,
  ...wanted('token_name', 'token_contains', token),
  ...wantedModel(model),
  ...wanted('group', 'group_contains', group),
  start_timestamp: requestId ? undefined : start,
  end_timestamp: requestId ? undefined : end,
  stream,
  request_id: requestId || undefined,
})

/** The query of the administrators' calls. */
export const allQuery = (filter: LogFilter) => ({
  ...ownQuery(filter),
  ...wanted('username', 'username_contains', filter.username),
  channel: filter.channel,
  retried: filter.retried,
})

/** Finds a name as it is, where that is asked for, else by a part of it. */
function wanted<Name extends string, Part extends string>(name: Name, part: Part, text: string) {
  const isExact = text.startsWith('=')
  // The keys are those two, of which one is empty.
  return { [name]: isExact ? text.slice(1) : '', [part]: isExact ? '' : text } as Record<Name | Part, string>
}

/** A model with `%` in it is the pattern that it was before names were found by parts. */
const wantedModel = (text: string) => wanted('model_name', 'model_contains', text.includes('%') ? `=${text}` : text)
