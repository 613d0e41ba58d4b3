import type { ChannelView } from '../../../shared/api/channel.ts'

/** The address of the list of channels. */
export const listPath = '/channel'
/** The address of the form of a new channel. */
export const newPath = '/channel/new'
/** The address of the page that looks for local programs. */
export const localPath = '/channel/local'
/** The address of a channel's form. */
export const editPath = ({ id }: Pick<ChannelView, 'id'>): string => `/channel/edit/${id}`

/** The state of a navigation from the list: closing what it opens leads back there, with nothing left behind. */
export const fromList = { from: 'channels' } as const
/** Whether a navigation came from the list. */
export const isFromList = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'from' in state && state.from === fromList.from
