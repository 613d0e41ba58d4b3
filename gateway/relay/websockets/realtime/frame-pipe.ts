import type { WebSocket } from 'ws'
import type { Outflow } from '../../upstream/socket-wire.ts'
import type { Frame } from './greeting.ts'

/**
 * Reads a frame that passes, as text, which a frame of bytes may be as well, and returns what is sent on instead;
 * undefined leaves it as it is, null keeps it back.
 */
export type Listener = (text: string, frame: Frame) => string | null | undefined

/**
 * Passes frames from one socket to the other as they are, those that came early first. Where the other takes them more
 * slowly than they come, the sender is held back, for `to` to read it on. Nothing that the listener throws leaves the
 * pipe: `failed` gets it, and the frame goes no further.
 */
export function pipeFrames(
  from: WebSocket,
  to: Outflow,
  early: readonly Frame[],
  listener: Listener,
  failed: (error: unknown) => void,
): void {
  const pass = (frame: Frame) => {
    const { data, isBinary } = frame
    const instead = listener(data.toString('utf8'), frame)
    if (instead === null) return
    to.send(instead ?? data, { binary: isBinary })
    if (to.isFull()) from.pause()
  }
  const take = (frame: Frame) => {
    if (!to.isOpen()) return
    try {
      pass(frame)
    } catch (error) {
      failed(error)
    }
  }
  for (const frame of early) take(frame)
  from.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) take({ data, isBinary })
  })
}
