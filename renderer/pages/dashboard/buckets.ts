import type { MinuteUsage } from '../../../shared/api/data.ts'

export const granularities = ['minute', 'hour', 'day', 'week'] as const
export type Granularity = (typeof granularities)[number]

/** Times in unix seconds, labels in local time. */
export type Bucket = Readonly<{ at: number; label: string }>

/** Usage of one model in one minute or hour. */
export type UsageRow = Omit<MinuteUsage, 'errors'>

const HOUR_S = 3600
/** The length of a minute and an hour, in seconds; the length of days and weeks varies. */
const lengths: Readonly<Partial<Record<Granularity, number>>> = { minute: 60, hour: HOUR_S }
const DAYS_IN_WEEK = 7
/** Minimum points of a chart; shorter charts are extended into the past. */
const MIN = 7

/** The start of the minute, hour, day or week (from Monday) that contains a time. */
export function startOf(at: number, by: Granularity): number {
  const length = lengths[by]
  if (length !== undefined) return at - (at % length)
  const day = new Date(at * 1000)
  day.setHours(0, 0, 0, 0)
  if (by === 'week') day.setDate(day.getDate() - ((day.getDay() + DAYS_IN_WEEK - 1) % DAYS_IN_WEEK))
  return day.getTime() / 1000
}

/** The start of the point that is `steps` away; handles days of 23 or 25 hours. */
export function stepFrom(start: number, by: Granularity, steps: number): number {
  const length = lengths[by]
  if (length !== undefined) return start + steps * length
  const day = new Date(start * 1000)
  day.setDate(day.getDate() + steps * (by === 'week' ? DAYS_IN_WEEK : 1))
  return day.getTime() / 1000
}

/** `HH:mm`, `MM-DD HH:mm`, `MM-DD`, or `MM-DD - MM-DD` from Monday to Sunday. */
export function labelOf(start: number, by: Granularity): string {
  const time = new Date(start * 1000)
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`
  if (by === 'minute') return clock
  if (by === 'hour') return `${dayOf(time)} ${clock}`
  if (by === 'day') return dayOf(time)
  return `${dayOf(time)} - ${dayOf(new Date(stepFrom(start, 'day', DAYS_IN_WEEK - 1) * 1000))}`
}

const dayOf = (time: Date): string => `${two(time.getMonth() + 1)}-${two(time.getDate())}`
const two = (part: number): string => String(part).padStart(2, '0')

/** All points of a range in order, including those without usage; at least seven, ending with the newest. */
export function bucketsBetween(from: number, to: number, by: Granularity): readonly Bucket[] {
  const starts: number[] = []
  for (let at = startOf(from, by); at <= to; at = stepFrom(at, by, 1)) starts.push(at)
  const first = starts[0] ?? startOf(to, by)
  if (starts.length === 0) starts.push(first)
  for (let back = 1; starts.length < MIN; back += 1) starts.unshift(stepFrom(first, by, -back))
  return starts.map((at) => ({ at, label: labelOf(at, by) }))
}

export type Usage = Readonly<{ name: string; quota: number[]; count: number[]; tokens: number[]; total: number }>

/** Aggregates rows by model and point; most expensive model first. */
export function usageByModel(rows: readonly UsageRow[], buckets: readonly Bucket[], by: Granularity): readonly Usage[] {
  const indices = new Map(buckets.map(({ at }, index) => [at, index]))
  const models = new Map<string, { quota: number[]; count: number[]; tokens: number[] }>()
  const empty = () => new Array<number>(buckets.length).fill(0)
  for (const { model_name: name, created_at, quota, count, token_used } of rows) {
    const index = indices.get(startOf(created_at, by))
    if (index === undefined) continue
    const sums = models.get(name) ?? { quota: empty(), count: empty(), tokens: empty() }
    models.set(name, sums)
    sums.quota[index] = (sums.quota[index] ?? 0) + quota
    sums.count[index] = (sums.count[index] ?? 0) + count
    sums.tokens[index] = (sums.tokens[index] ?? 0) + token_used
  }
  return [...models]
    .map(([name, sums]) => ({ name, ...sums, total: sum(sums.quota) }))
    .sort((a, b) => b.total - a.total || sum(b.count) - sum(a.count) || a.name.localeCompare(b.name))
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
