import { logType } from '../../../shared/enums.ts'
import { type Bucket, type Granularity, stepFrom } from './buckets.ts'

/**
 * The log entries behind the displayed usage: their range in unix seconds, and their user: undefined for oneself, empty
 * for everyone.
 */
export type ShownEntries = Readonly<{ from: number; to: number | undefined; username: string | undefined }>

const HOUR_S = 3600

/** Exact match in the log's filter; an empty name does not filter. */
export const exactName = (name: string): string => name && `=${name}`

export function entriesAddress(
  names: Readonly<Record<string, string>>,
  { from, to }: Omit<ShownEntries, 'username'>,
  type: number = logType.consume,
) {
  const search = new URLSearchParams({ type: String(type), from: String(from) })
  if (to !== undefined) search.set('to', String(to))
  for (const [field, name] of Object.entries(names)) if (name !== '') search.set(field, name)
  return `/log?${search}`
}

/** The entries of one bar: of its minute, or of the UTC hours that start in its bucket, within the shown range. */
export function bucketAddress({ at }: Bucket, { by, model, type }: BarEntries, shown: ShownEntries): string {
  const first = (time: number) => (by === 'minute' ? time : hourFrom(time))
  const end = first(stepFrom(at, by, 1)) - 1
  const span = { from: Math.max(first(at), shown.from), to: Math.min(end, shown.to ?? end) }
  return entriesAddress({ user: exactName(shown.username ?? ''), model: exactName(model) }, span, type)
}

/** The entries of a bar: of one model (empty for all) and of one type, by default charged requests. */
type BarEntries = Readonly<{ by: Granularity; model: string; type?: number }>

const hourFrom = (at: number): number => Math.ceil(at / HOUR_S) * HOUR_S
