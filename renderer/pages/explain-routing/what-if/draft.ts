import type { ChannelView } from '../../../../shared/api/channel.ts'
import type { WhatIfRequest } from '../../../../shared/api/what-if.ts'
import { channelStatus } from '../../../../shared/enums.ts'

/** A channel as it stands, and as it would. */
export type ChangedChannel = Readonly<{
  id: number
  name: string
  now: Readonly<{ status: number; weight: number; priority: number }>
  isOn: boolean
  /** Undefined while what is typed is no number that it may have. */
  weight: number | undefined
  priority: number | undefined
}>

/** What the form says. */
export type WhatIfDraft = Readonly<{
  /** Hours before now; 24 at most. */
  hours: number
  /** Undefined for what it is. */
  retryTimes: number | undefined
  channels: readonly ChangedChannel[]
}>

/** Nothing is changed. */
export const emptyDraft: WhatIfDraft = { hours: 24, retryTimes: undefined, channels: [] }

/** The longest spans first, in hours. */
export const spans = [24, 12, 6, 3, 1] as const
export const MAX_RETRIES = 10
export const MAX_CHANGED = 200
export const MAX_ORDER = 1_000_000_000

/** A channel that is about to be changed: as it stands. */
export const unchangedChannel = ({ id, name, status, weight, priority }: ChannelView): ChangedChannel => ({
  id,
  name,
  now: { status, weight, priority },
  isOn: status === channelStatus.enabled,
  weight,
  priority,
})

/** One channel's changes, of which nothing stands here that stays as it is. */
export type ChannelFields = Readonly<{ status?: 1 | 2; weight?: number; priority?: number }>

/** What of a channel would be different; undefined for nothing. */
export function fieldsOf({ now, isOn, weight, priority }: ChangedChannel): ChannelFields | undefined {
  const fields = {
    ...(isOn === (now.status === channelStatus.enabled) ? {} : { status: isOn ? (1 as const) : (2 as const) }),
    ...(weight === undefined || weight === now.weight ? {} : { weight }),
    ...(priority === undefined || priority === now.priority ? {} : { priority }),
  }
  return Object.keys(fields).length > 0 ? fields : undefined
}

/** Whether every number is one. */
export const isSound = ({ channels }: WhatIfDraft): boolean =>
  channels.every(({ weight, priority }) => weight !== undefined && priority !== undefined)

/** The body of the call. */
export function requestOf({ hours, retryTimes, channels }: WhatIfDraft, nowSeconds: number): WhatIfRequest {
  return {
    start_timestamp: nowSeconds - hours * 3600,
    end_timestamp: nowSeconds,
    channels: channels.flatMap((channel) => {
      const fields = fieldsOf(channel)
      return fields ? [{ id: channel.id, ...fields }] : []
    }),
    ...(retryTimes === undefined ? {} : { retry_times: retryTimes }),
  }
}
