import { type LogSort, logSorts } from '../../../shared/api/log.ts'
import { defaultFilter, type LogFilter } from './log-filter.ts'

/** The view of the log, stored in the address so that it works with history and links. */
export type ShownLog = Readonly<{
  filter: LogFilter
  /** Empty for the newest first. */
  sort: LogSort
  /** From 0. */
  index: number
  /** Rows per page; undefined for the last choice. */
  size: number | undefined
  open: readonly string[]
}>

/** Parses an address; missing and invalid parts have their defaults. */
export function readAddress(search: URLSearchParams): ShownLog {
  const page = countIn(search.get('page'))
  return {
    filter: filterOf(search),
    sort: sorts.find((one) => one === search.get('sort')) ?? '',
    index: page === undefined ? 0 : Math.max(0, page - 1),
    size: countIn(search.get('size')),
    open: search.getAll('open'),
  }
}

/** The address of a view. Any view but the default includes its start: "today" changes tomorrow. */
export function addressOf({ filter, sort, index, size, open }: ShownLog): URLSearchParams {
  const { type, start, end, channel, failedOn, stream, retried } = filter
  const search = new URLSearchParams()
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '' && value !== 0) search.set(name, String(value))
  }
  set('type', type)
  for (const [name, field] of texts) set(name, filter[field])
  set('channel', channel)
  set('stream', wordOf(stream))
  set('retried', wordOf(retried))
  set('failed', failedOn)
  set('to', end)
  set('sort', sort)
  set('page', index > 0 ? index + 1 : 0)
  set('size', size)
  for (const key of open) search.append('open', key)
  if (search.size > 0 || start !== defaultFilter().start) search.set('from', start === undefined ? '' : String(start))
  return search
}

const sorts: readonly LogSort[] = [...logSorts, ...logSorts.map((name) => `-${name}` as const)]

const texts = [
  ['token', 'token'],
  ['model', 'model'],
  ['group', 'group'],
  ['user', 'username'],
  ['request', 'requestId'],
] as const satisfies readonly (readonly [string, keyof LogFilter])[]

function filterOf(search: URLSearchParams): LogFilter {
  const fresh = defaultFilter()
  const from = search.get('from')
  const text = (name: string) => search.get(name)?.trim() ?? ''
  return {
    type: countIn(search.get('type')) ?? 0,
    start: from === null ? fresh.start : countIn(from),
    end: countIn(search.get('to')),
    token: text('token'),
    model: text('model'),
    group: text('group'),
    stream: answerIn(search.get('stream')),
    requestId: text('request'),
    channel: countIn(search.get('channel')) ?? 0,
    username: text('user'),
    retried: answerIn(search.get('retried')),
    failedOn: countIn(search.get('failed')) ?? 0,
  }
}

function countIn(text: string | null): number | undefined {
  const count = Number(text)
  return text && Number.isSafeInteger(count) && count > 0 ? count : undefined
}

const choices = new Map<string | null, boolean>([
  ['yes', true],
  ['no', false],
])
const answerIn = (text: string | null): boolean | undefined => choices.get(text)

function wordOf(answer: boolean | undefined): string | undefined {
  if (answer === undefined) return undefined
  return answer ? 'yes' : 'no'
}
