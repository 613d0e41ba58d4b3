import type { ChannelView } from '../../../shared/api/channel.ts'
import { logType } from '../../../shared/enums.ts'

export const listPath = '/channel'
export const newPath = '/channel/new'
export const localPath = '/channel/local'
export const editPath = ({ id }: Pick<ChannelView, 'id'>): string => `/channel/edit/${id}`
export const logPath = ({ id }: Pick<ChannelView, 'id'>): string => `/log?channel=${id}`
/** The failed requests since a time in unix seconds. */
export const failuresPath = (channel: Pick<ChannelView, 'id'>, since: number): string =>
  `${logPath(channel)}&type=${logType.error}&from=${since}`

/** Navigation state set by the list: closing a drawer goes back to the list without a history entry. */
export const fromList = { from: 'channels' } as const
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
