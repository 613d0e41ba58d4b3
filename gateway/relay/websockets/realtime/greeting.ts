import type { WebSocket } from 'ws'
import { objectIn, parsed, textIn } from '../../../base/json/json.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { readError, UpstreamError } from '../../upstream/upstream-error.ts'

export type Frame = Readonly<{ data: Buffer; isBinary: boolean }>

/** How long a vendor's first frame is awaited; a silent vendor may be fine, so the session then starts. */
const TIMEOUT_MS = 5000

/** How an upstream refuses a session: in its first frame, or by closing. */
export type GreetingErrors = Readonly<{
  errorIn: (text: string) => UpstreamError | undefined
  ended: (code: number, reason: string) => UpstreamError
}>

/** Returns the frames received so far, once; the caller then listens itself. */
export type Early = () => readonly Frame[]

/**
 * Waits for an upstream's first frame and then pauses it. Rejects if that is an error or a close: vendors open a
 * session before they check the key, and nothing has been sent by then, so another channel may be tried. A frame of
 * more than 1 MiB is not an error.
 */
export function greeting(upstream: WebSocket, { errorIn, ended }: GreetingErrors = plainErrors): Promise<Early> {
  const frames: Frame[] = []
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => {
      clearTimeout(timer)
      upstream.off('close', onClose)
      upstream.pause()
      if (error) reject(error)
      else resolve(taken)
    }
    const hear = (data: unknown, isBinary: boolean) => {
      if (!Buffer.isBuffer(data)) return
      frames.push({ data, isBinary })
      if (frames.length > 1) return
      try {
        done(isBinary || data.length > LARGE ? undefined : errorIn(data.toString('utf8')))
      } catch (cause) {
        done(cause)
      }
    }
    const taken = () => {
      upstream.off('message', hear)
      return frames
    }
    const onClose = (code: number, reason: Buffer) => done(ended(code, String(reason)))
    const timer = setTimeout(() => done(), TIMEOUT_MS)
    upstream.on('message', hear).once('close', onClose)
    upstream.resume()
  })
}

const statuses: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  model_not_found: 404,
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
}

const plainErrors: GreetingErrors = {
  errorIn,
  ended: () => new UpstreamError(502, 'the upstream closed the connection', { transport: true }),
}

function errorIn(text: string): UpstreamError | undefined {
  const event = objectIn(parsed(text))
  if (event.type !== 'error') return undefined
  const { code, type } = objectIn(event.error)
  return readError(statuses[textIn(code) ?? ''] ?? (type === 'invalid_request_error' ? 400 : 502), text)
}
