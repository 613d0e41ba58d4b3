import { keepPreviousData } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type ChannelActivity, channelMany } from '../../../../shared/api/channel-many.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'
import { channelsOf, type Row } from './row.ts'

/**
 * Activity of the last 24 hours: `requests` by hour, oldest first, including failures; `failed` and `total` are sums.
 * `since` is the start of the first hour, in unix seconds.
 */
type Activity = Readonly<{ requests: readonly number[]; failed: number; total: number; since: number }>

type Figure = ChannelActivity['channels'][number] & Pick<ChannelActivity, 'since'>

const Figures = createContext<ReadonlyMap<number, Figure>>(new Map())

/**
 * Loads the activity of all channels of a page in one call, and again each minute; rows show no activity before the
 * first response.
 */
export function ActivityOf({ rows, children }: { rows: readonly Row[]; children: ReactNode }) {
  const ids = useMemo(() => [...new Set(rows.flatMap(channelsOf).map(({ id }) => id))].sort((a, b) => a - b), [rows])
  const { data } = usePolled({
    queryKey: ['channel-activity', areaOf(channelMany.activity), ids],
    enabled: ids.length > 0,
    read: (manner) => send(channelMany.activity, { body: { ids } }, manner),
    staleTime: MINUTE_MS,
    everyMs: MINUTE_MS,
    placeholderData: keepPreviousData,
  })
  const figures = useMemo(() => figuresOf(data), [data])
  return <Figures.Provider value={figures}>{children}</Figures.Provider>
}

/** The combined activity of a row's channels; undefined until known. */
export function useActivity(row: Row): Activity | undefined {
  const figures = useContext(Figures)
  const own = channelsOf(row).flatMap(({ id }) => figures.get(id) ?? [])
  const [first] = own
  if (!first) return undefined
  const failed = sum(own.flatMap((one) => one.failed))
  const requests = Array.from({ length: HOURS }, (_, hour) =>
    sum(own.map((one) => (one.served[hour] ?? 0) + (one.failed[hour] ?? 0))),
  )
  return { requests, failed, total: sum(requests), since: first.since }
}

const figuresOf = (data: ChannelActivity | undefined): ReadonlyMap<number, Figure> =>
  new Map(data?.channels.map((one) => [one.channel_id, { ...one, since: data.since }]))

const HOURS = 24
const MINUTE_MS = 60_000

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
