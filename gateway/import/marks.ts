import { sha256 } from '../base/ids.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { wholeOf } from './cells.ts'

/** The mark that identifies a row of another installation here. */
export const markOf = (source: string, kind: string, id: number | string): string =>
  sha256(JSON.stringify([source, kind, id]))

export const userMarkOf = (source: string, theirId: number): string => markOf(source, 'user', theirId)

/** Contains the creation time too, since ids of deleted channels are used again. */
export const channelMarkOf = (source: string, row: ForeignRow): string =>
  markOf(source, 'channel', `${wholeOf(row, 'id')}:${wholeOf(row, 'created_time')}`)
