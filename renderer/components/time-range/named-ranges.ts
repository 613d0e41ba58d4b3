import { startOfDay, startOfMonth, subDays } from 'date-fns'

export const rangeNames = ['quarter', 'hour', 'day', 'today', 'yesterday', 'days7', 'days30', 'month'] as const
export type RangeName = (typeof rangeNames)[number]

/** Unix seconds; an undefined end is now. */
export type TimeSpan = Readonly<{ start: number | undefined; end: number | undefined }>

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** The span of a named range at a moment; days and months are local. */
export function spanOf(name: RangeName, nowMs = Date.now()): TimeSpan {
  const now = Math.floor(nowMs / 1000)
  const midnight = startOfDay(nowMs)
  const today = midnight.getTime() / 1000
  if (name === 'yesterday') return { start: subDays(midnight, 1).getTime() / 1000, end: today - 1 }
  if (name === 'today') return { start: today, end: undefined }
  if (name === 'month') return { start: startOfMonth(nowMs).getTime() / 1000, end: undefined }
  return { start: now - lengths[name], end: undefined }
}

const lengths = { quarter: HOUR_S / 4, hour: HOUR_S, day: DAY_S, days7: 7 * DAY_S, days30: 30 * DAY_S } as const

/** The name of a span that begins at midnight; spans that move with the clock have none. */
export const nameOfSpan = ({ start, end }: TimeSpan, nowMs = Date.now()): RangeName | undefined =>
  (['today', 'yesterday', 'month'] as const).find((name) => {
    const span = spanOf(name, nowMs)
    const isToNow = end === undefined || end * 1000 >= nowMs
    return span.start === start && (span.end === undefined ? isToNow : span.end === end)
  })

export const rangeNameIn = (text: string | null): RangeName | undefined => rangeNames.find((name) => name === text)
