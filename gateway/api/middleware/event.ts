import { PassThrough } from 'node:stream'
import type { Context } from 'koa'
import type { ApiCall } from '../../../shared/api/call.ts'
import { checkAnswer } from './parse-request.ts'

/** A delayed response: gets a function that sends it once, and returns a function that stops waiting. */
export type Later<T> = (send: (data: T) => void) => () => void

const HEARTBEAT_MS = 15_000
/** After this, the console reconnects and authenticates again. */
const MAX_MS = 15 * 60_000

/**
 * Responds with a stream of server-sent events that ends with the first one; a refusal thrown by `later` becomes the
 * response.
 */
export function answerEvent(ctx: Context, call: ApiCall, later: Later<unknown>, isChecked: boolean): void {
  const stream = new PassThrough()
  const leave = later((data) => {
    if (isChecked) checkAnswer(call, data, undefined)
    stream.end(`data: ${JSON.stringify(data)}\n\n`)
  })
  const heartbeat = setInterval(() => stream.write(': waiting\n\n'), HEARTBEAT_MS)
  const end = setTimeout(() => stream.end(), MAX_MS)
  stream.once('close', () => {
    clearInterval(heartbeat)
    clearTimeout(end)
    leave()
  })
  stream.write(': waiting\n\n')
  ctx.status = 200
  ctx.type = 'text/event-stream'
  ctx.set('X-Accel-Buffering', 'no')
  ctx.body = stream
}
