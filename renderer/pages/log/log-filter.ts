import { startOfToday } from 'date-fns'

/**
 * The usage log's filter; empty texts, 0 and undefined do not filter. Times are unix seconds. Names match by
 * substring, or exactly with a leading `=`; a token also by its id.
 */
export type LogFilter = Readonly<{
  type: number
  start: number | undefined
  end: number | undefined
  token: string
  model: string
  group: string
  stream: boolean | undefined
  /** Finds one request of any date. */
  requestId: string
  /** Channel id; administrators only. */
  channel: number
  /** Administrators only. */
  username: string
  /** Whether more than one channel was called; administrators only. */
  retried: boolean | undefined
  /** The id of a channel on which the request failed; administrators only. */
  failedOn: number
}>

/** Everything since today 00:00 (docs/reference/screens.md#usage-log). */
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
  failedOn: 0,
})

/** Whether a filter restricts more than the time range. */
export const isFiltered = ({ start: _start, end: _end, ...filter }: LogFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '' && value !== 0)

/** Only the time range of a filter. */
export const unfiltered = ({ start, end }: LogFilter): LogFilter => ({ ...defaultFilter(), start, end })

export const countMore = ({ stream, retried, failedOn, requestId }: LogFilter): number =>
  [stream !== undefined, retried !== undefined, failedOn !== 0, requestId !== ''].filter(Boolean).length

export const ownQuery = ({ type, start, end, token, model, group, stream, requestId }: LogFilter) => ({
  type,
  ...tokenFilter(token),
  ...modelFilter(model),
  ...nameFilter('group', 'group_contains', group),
  start_timestamp: requestId ? undefined : start,
  end_timestamp: requestId ? undefined : end,
  stream,
  request_id: requestId || undefined,
})

export const allQuery = (filter: LogFilter) => ({
  ...ownQuery(filter),
  ...nameFilter('username', 'username_contains', filter.username),
  channel: filter.channel,
  retried: filter.retried,
  failed_on: filter.failedOn,
})

/** Matches a name exactly with a leading `=`, else by substring. */
function nameFilter<Name extends string, Part extends string>(name: Name, part: Part, text: string) {
  const isExact = text.startsWith('=')
  // The keys are these two; one of the values is empty.
  return { [name]: isExact ? text.slice(1) : '', [part]: isExact ? '' : text } as Record<Name | Part, string>
}

/** `#12` is the token with this id; it may have been renamed, and others may have its name. */
const tokenFilter = (text: string) =>
  /^#\d{1,15}$/.test(text)
    ? { ...nameFilter('token_name', 'token_contains', ''), token_id: Number(text.slice(1)) }
    : nameFilter('token_name', 'token_contains', text)

/** A model with `%` is a pattern, as it was before names matched by substring. */
const modelFilter = (text: string) => nameFilter('model_name', 'model_contains', text.includes('%') ? `=${text}` : text)
