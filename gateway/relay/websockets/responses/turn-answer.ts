import type { IncomingMessage } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { isObject, parsed } from '../../../base/json/json.ts'
import { createLineReader } from '../../formats/sse.ts'
import { isEventStream } from '../../upstream/headers.ts'
import type { Outflow } from '../../upstream/socket-wire.ts'
import { createTurnReader, refusalFrame, type TurnProgress, wholeEvents } from './frames.ts'
import type { TurnOutput } from './memory.ts'

/** The target of a response: its lane, and `whenWritable` to register a callback that resumes reading. */
export type Outlet = Readonly<{ out: Outflow; lane: string | undefined; whenWritable: (goOn: () => void) => void }>

/**
 * Sends a turn's response as frames, one per event; resolves with the outcome as soon as the caller has the last one,
 * since the next turn may follow immediately. Never rejects.
 */
export async function sendAnswer(
  { out, lane, whenWritable }: Outlet,
  answer: IncomingMessage,
  output: TurnOutput,
  broken: () => string,
): Promise<TurnProgress> {
  const reader = createTurnReader(lane, output)
  const send = (payload: string) => {
    const frame = reader.frame(payload)
    if (frame === undefined) return
    out.send(frame)
    if (out.isFull()) answer.pause()
  }
  whenWritable(() => answer.resume())
  if (isEventStream(answer.headers)) await readEvents(answer, send, reader.hasEnded)
  else for (const payload of framesOf(answer, await textOf(answer).catch(() => ''))) send(payload)
  if (!reader.hasEnded()) send(broken())
  return reader.progress()
}

function framesOf({ statusCode = 500 }: IncomingMessage, text: string): string[] {
  const json = parsed(text)
  return statusCode === 200 && isObject(json)
    ? wholeEvents(json).map((event) => JSON.stringify(event))
    : [refusalFrame(statusCode, text)]
}

/** Reads a stream until its last event, or until it breaks off; discards what follows the last event. */
function readEvents(answer: IncomingMessage, send: (payload: string) => void, hasEnded: () => boolean): Promise<void> {
  const reader = createLineReader((payload) => {
    send(payload)
    return 'drop'
  })
  return new Promise((resolve) => {
    const read = (work: () => void) => {
      try {
        work()
      } catch (error) {
        answer.destroy(error instanceof Error ? error : undefined)
      }
    }
    answer.on('data', (chunk: Buffer) => {
      read(() => void reader.feed(chunk))
      if (hasEnded()) resolve()
    })
    answer.on('error', () => {})
    answer.once('close', () => {
      read(() => void reader.end())
      resolve()
    })
  })
}
