import type { WebSocket } from 'ws'
import { boundToAccount, yieldToOthers } from '../../base/fair-yield.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { readOn } from '../upstream/socket-wire.ts'
import type { Frame } from './realtime/greeting.ts'

/**
 * Handles the frames of one socket in order, even if some take several event-loop turns
 * (docs/reference/limits.md#sockets).
 */
export interface FrameQueue {
  /** Handles a frame: immediately, or after those before it. */
  take(frame: Frame): void
  /** Delays further frames, and reads no more of them, until the work has settled. */
  waitFor(work: Promise<void>): Promise<void>
  /** Whether a new frame would have to wait; the socket resumes once the earlier frames are handled. */
  isWaiting(): boolean
}

/**
 * `listener` handles a frame, synchronously or not, and never throws or rejects; `isFull` returns true to stop reading.
 */
export function createFrameQueue(
  socket: WebSocket,
  listener: (frame: Frame) => MaybePromise<void>,
  isFull: () => boolean,
): FrameQueue {
  const hear = boundToAccount(listener)
  const waiting: Frame[] = []
  let works = 0
  let isDraining = false
  const isWaiting = () => works > 0 || isDraining
  const drain = async () => {
    if (isWaiting()) return
    isDraining = true
    for (let frame = waiting.shift(); frame; frame = works === 0 ? waiting.shift() : undefined) {
      const hearing = hear(frame)
      if (hearing instanceof Promise) await hearing
      await yieldToOthers()
    }
    isDraining = false
    if (works === 0 && !isFull()) readOn(socket)
  }
  const waitFor = async (work: Promise<void>) => {
    works += 1
    socket.pause()
    try {
      await work
    } finally {
      works -= 1
      void drain()
    }
  }
  return {
    take(frame) {
      if (isWaiting()) return void waiting.push(frame)
      const hearing = hear(frame)
      if (hearing instanceof Promise) void waitFor(hearing)
    },
    waitFor,
    isWaiting,
  }
}
