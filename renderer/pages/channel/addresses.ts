import type { ChannelView } from '../../../shared/api/channel.ts'

/** The channel list. */
export const listPath = '/channel'
/** The form of a new channel. */
export const newPath = '/channel/new'
/** The page that detects local programs. */
export const localPath = '/channel/local'
/** A channel's form. */
export const editPath = ({ id }: Pick<ChannelView, 'id'>): string => `/channel/edit/${id}`

/** Navigation state set by the list: closing a drawer goes back to the list without a history entry. */
export const fromList = { from: 'channels' } as const
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
