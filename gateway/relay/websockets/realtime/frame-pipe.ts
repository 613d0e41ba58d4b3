import type { WebSocket } from 'ws'
import type { MaybePromise } from '../../../base/maybe-promise.ts'
import type { Room } from '../../intake/body-memory.ts'
import { createOutflow, type Outflow } from '../../upstream/socket-wire.ts'
import { createFrameQueue, type FrameQueue } from '../frame-queue.ts'
import type { Frame } from './greeting.ts'

/**
 * Reads a frame that passes, in turns with others where it is large, and returns what is sent on instead; undefined leaves it
 * as it is, null keeps it back.
 */
export type Listener = (frame: Frame) => MaybePromise<string | null | undefined>

/** From where to where, what came early, and whether nothing more is to be read for now. */
type PipeEnds = Readonly<{ from: WebSocket; to: Outflow; early: readonly Frame[]; isHeldBack: () => boolean }>

/**
 * What is on its way to one side of a session. What waits there takes its part of the memory for bodies
 * (docs/reference/limits.md#bodies); `send` refuses a frame that there is no room for.
 */
export function countedOutflow(socket: WebSocket, memory: Room, room: () => void): Outflow {
  const out = createOutflow(socket, () => {
    memory.giveBack()
    room()
  })
  return {
    ...out,
    send(data, options) {
      if (out.isOpen()) memory.grow(socket.bufferedAmount + data.length)
      out.send(data, options)
    },
  }
}

/**
 * Passes frames from one socket to the other as they are, in their order, those that came early first. Where the other takes
 * them more slowly than they come, the sender is held back, for `to` to read it on. Nothing that the listener throws leaves
 * the pipe: `failed` gets it, and the frame goes no further.
 */
export function pipeFrames(
  { from, to, early, isHeldBack }: PipeEnds,
  listener: Listener,
  failed: (error: unknown) => void,
): FrameQueue {
  const pass = ({ data, isBinary }: Frame, instead: string | null | undefined) => {
    if (instead === null) return
    to.send(instead ?? data, { binary: isBinary })
    if (to.isFull()) from.pause()
  }
  const hear = (frame: Frame): MaybePromise<void> => {
    if (!to.isOpen()) return
    try {
      const heard = listener(frame)
      if (heard instanceof Promise) return heard.then((instead) => pass(frame, instead)).catch(failed)
      pass(frame, heard)
    } catch (error) {
      failed(error)
    }
  }
  const queue = createFrameQueue(from, hear, isHeldBack)
  for (const frame of early) queue.take(frame)
  from.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) queue.take({ data, isBinary })
  })
  return queue
}
