import type { ChannelView } from '../../../shared/api/channel.ts'

export const listPath = '/channel'
export const newPath = '/channel/new'
export const localPath = '/channel/local'
export const editPath = ({ id }: Pick<ChannelView, 'id'>): string => `/channel/edit/${id}`
export const logPath = ({ id }: Pick<ChannelView, 'id'>): string => `/log?channel=${id}`
/** The address of the usage log's entries for requests that failed on the channel since a time in unix seconds. */
export const failuresPath = (channel: Pick<ChannelView, 'id'>, since: number): string =>
  `/log?failed=${channel.id}&from=${since}`

/** Navigation state set by the list: closing a drawer goes back to the list without a history entry. */
export const fromList = { from: 'channels' } as const
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
