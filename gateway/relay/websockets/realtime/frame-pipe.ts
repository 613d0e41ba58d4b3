import type { WebSocket } from 'ws'
import { HIGH_WATER, LOW_WATER } from '../../upstream/socket-wire.ts'
import type { Frame } from './greeting.ts'

/**
 * Reads a frame that passes, as text, which a frame of bytes may be as well, and answers what is sent on instead;
 * undefined leaves it as it is, null keeps it back.
 */
export type Listener = (text: string, isBinary: boolean) => string | null | undefined

/**
 * Passes frames from one socket to the other as they are, those that came early first. Where the other takes them more
 * slowly than they come, the sender is read no further until most has gone out.
 */
export function pipeFrames(from: WebSocket, to: WebSocket, early: readonly Frame[], listener: Listener): void {
  const sent = () => {
    if (from.isPaused && to.bufferedAmount < LOW_WATER) from.resume()
  }
  const take = ({ data, isBinary }: Frame) => {
    if (to.readyState !== to.OPEN) return
    const instead = listener(data.toString('utf8'), isBinary)
    if (instead === null) return
    to.send(instead ?? data, { binary: isBinary }, sent)
    if (to.bufferedAmount > HIGH_WATER) from.pause()
  }
  for (const frame of early) take(frame)
  from.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) take({ data, isBinary })
  })
}
