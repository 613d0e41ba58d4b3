import type { WebSocket } from 'ws'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import type { MemoryShare } from '../../intake/body-memory.ts'
import { createOutflow, type Outflow } from '../../upstream/socket-wire.ts'
import { createFrameQueue, type FrameQueue } from '../frame-queue.ts'
import type { Frame } from './greeting.ts'

/** Reads a frame, in slices if large, and returns its replacement; undefined leaves it unchanged, null drops it. */
export type Listener = (frame: Frame) => MaybePromise<string | null | undefined>

/**
 * Source and target, the early frames, whether to stop reading for now, and the function to call once a frame is passed
 * or dropped.
 */
type PipeEnds = Readonly<{
  from: WebSocket
  to: Outflow
  early: readonly Frame[]
  isHeldBack: () => boolean
  release?: (data: Buffer) => void
}>

/**
 * Outgoing data of one side of a session. Waiting data counts toward the memory budget of bodies
 * (docs/reference/limits.md#bodies); `send` throws if that is exceeded.
 */
export function countedOutflow(socket: WebSocket, memory: MemoryShare, onDrain: () => void): Outflow {
  const out = createOutflow(socket, () => {
    memory.giveBack()
    onDrain()
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
 * Passes frames from one socket to the other in order, the early ones first. If the target reads too slowly, the source
 * is paused, and resumed by `to`. Errors of the listener go to `failed`, and their frame is dropped.
 */
export function pipeFrames(
  { from, to, early, isHeldBack, release = () => {} }: PipeEnds,
  listener: Listener,
  failed: (error: unknown) => void,
): FrameQueue {
  const pass = ({ data, isBinary }: Frame, instead: string | null | undefined) => {
    if (instead === null) return
    to.send(instead ?? data, { binary: isBinary })
    if (to.isFull()) from.pause()
  }
  const read = (frame: Frame): MaybePromise<void> => {
    if (!to.isOpen()) return
    try {
      const result = listener(frame)
      if (result instanceof Promise) return result.then((instead) => pass(frame, instead)).catch(failed)
      pass(frame, result)
    } catch (error) {
      failed(error)
    }
  }
  const queue = createFrameQueue(from, (frame) => whenKnown(read(frame), () => release(frame.data)), isHeldBack)
  for (const frame of early) queue.take(frame)
  from.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) queue.take({ data, isBinary })
  })
  return queue
}
