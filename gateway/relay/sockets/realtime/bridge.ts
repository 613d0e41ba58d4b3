import type { WebSocket } from 'ws'
import { HIGH_WATER, LOW_WATER } from '../limits.ts'

/** Told of the frames that pass; texts alone can be read. */
export type Listener = (text: string | undefined) => void

/**
 * Passes frames from one socket to the other as they are. Where the other takes them more slowly than they come, the
 * sender is read no further until most has gone out.
 */
export function pass(from: WebSocket, to: WebSocket, listener: Listener): void {
  const sent = () => {
    if (from.isPaused && to.bufferedAmount < LOW_WATER) from.resume()
  }
  from.on('message', (data, isBinary) => {
    if (!Buffer.isBuffer(data) || to.readyState !== to.OPEN) return
    to.send(data, { binary: isBinary }, sent)
    if (to.bufferedAmount > HIGH_WATER) from.pause()
    listener(isBinary ? undefined : data.toString('utf8'))
  })
}
