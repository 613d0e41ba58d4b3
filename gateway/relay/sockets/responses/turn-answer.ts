import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { WebSocket } from 'ws'
import { isObject, parsed } from '../../../base/json.ts'
import { isEventStream } from '../../headers.ts'
import { createLineReader } from '../../sse.ts'
import { HIGH_WATER, LOW_WATER } from '../limits.ts'
import { createTurnReader, type Progress, refusalFrame, wholeFrames } from './frames.ts'

/** Sends the answer of a turn as frames, one for each event; resolves with what came of it. Never rejects. */
export async function sendTurn(
  socket: WebSocket,
  answer: IncomingMessage,
  lane: string | undefined,
  broken: () => string,
): Promise<Progress> {
  const reader = createTurnReader(lane)
  const send = (payload: string) => {
    const frame = reader.frame(payload)
    if (frame !== undefined && socket.readyState === socket.OPEN) {
      socket.send(frame, () => socket.bufferedAmount < LOW_WATER && answer.resume())
      if (socket.bufferedAmount > HIGH_WATER) answer.pause()
    }
  }
  if (isEventStream(answer.headers)) await readEvents(answer, send)
  else for (const payload of framesOf(answer, await textOf(answer).catch(() => ''))) send(payload)
  if (reader.progress().ended === undefined) send(broken())
  return reader.progress()
}

function framesOf({ statusCode = 500 }: IncomingMessage, text: string): string[] {
  const json = parsed(text)
  return statusCode === 200 && isObject(json) ? wholeFrames(json) : [refusalFrame(statusCode, text)]
}

/** Reads a stream to its end, also one that breaks off. */
function readEvents(answer: IncomingMessage, send: (payload: string) => void): Promise<void> {
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
    })
    answer.on('error', () => {})
    answer.once('close', () => {
      reader.end()
      resolve()
    })
  })
}
