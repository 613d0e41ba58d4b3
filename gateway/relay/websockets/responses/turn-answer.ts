import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import { isObject, parsed } from '../../../base/json.ts'
import { createLineReader } from '../../formats/sse.ts'
import { isEventStream } from '../../upstream/headers.ts'
import { HIGH_WATER, LOW_WATER } from '../../upstream/socket-wire.ts'
import { createTurnReader, refusalFrame, type TurnProgress, wholeFrames } from './frames.ts'

/**
 * Sends the answer of a turn as frames, one for each event; resolves with what came of it as soon as the caller has the
 * last one, since the next turn may follow at once. Never rejects.
 */
export async function sendAnswer(
  socket: WebSocket,
  answer: IncomingMessage,
  lane: string | undefined,
  broken: () => string,
): Promise<TurnProgress> {
  const reader = createTurnReader(lane)
  const send = (payload: string) => {
    const frame = reader.frame(payload)
    if (frame === undefined || socket.readyState !== socket.OPEN) return
    socket.send(frame, () => socket.bufferedAmount < LOW_WATER && answer.resume())
    if (socket.bufferedAmount > HIGH_WATER) answer.pause()
  }
  const hasEnded = () => reader.progress().ended !== undefined
  if (isEventStream(answer.headers)) await readEvents(answer, send, hasEnded)
  else for (const payload of framesOf(answer, await textOf(answer).catch(() => ''))) send(payload)
  if (!hasEnded()) send(broken())
  return reader.progress()
}

/** The payloads that an answer without a stream stands for. */
function framesOf({ statusCode = 500 }: IncomingMessage, text: string): string[] {
  const json = parsed(text)
  return statusCode === 200 && isObject(json) ? wholeFrames(json) : [refusalFrame(statusCode, text)]
}

/** Reads a stream until its last event, or until it breaks off; what comes after the last event is read and forgotten. */
function readEvents(answer: IncomingMessage, send: (payload: string) => void, hasEnded: () => boolean): Promise<void> {
  const reader = createLineReader((payload) => {
    send(payload)
    return 'drop'
  })
  return new Promise((resolve) => {
    answer.on('data', (chunk: Buffer) => {
      try {
        reader.feed(chunk)
      } catch (error) {
        answer.destroy(error instanceof Error ? error : undefined)
      }
      if (hasEnded()) resolve()
    })
    answer.on('error', () => {})
    answer.once('close', () => {
      reader.end()
      resolve()
    })
  })
}
