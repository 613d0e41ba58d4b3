import type { WebSocket } from 'ws'
import { objectIn, parsed, textIn } from '../../../base/json/json.ts'
import { readError, UpstreamError } from '../../upstream/upstream-error.ts'

/** A frame as it came. */
export type Frame = Readonly<{ data: Buffer; isBinary: boolean }>

/** A vendor that says nothing for so long may be a quiet one: the session begins all the same. */
const TIMEOUT_MS = 5000

/** How an upstream tells that there will be no session: in its first frame, or by closing. */
export type GreetingErrors = Readonly<{
  errorIn: (text: string) => UpstreamError | undefined
  ended: (code: number, reason: string) => UpstreamError
}>

/** Hands over what came early, once; whoever takes it hears of the rest itself. */
export type Early = () => readonly Frame[]

/**
 * Waits for what an upstream says first; the upstream is held back afterwards. Rejects when that is an error or the end:
 * vendors open a session before they look at the key, and nothing has been said by then, so another channel may be asked.
 */
export function greeting(upstream: WebSocket, { errorIn, ended }: GreetingErrors = plainErrors): Promise<Early> {
  const frames: Frame[] = []
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => {
      clearTimeout(timer)
      upstream.off('close', gone)
      upstream.pause()
      if (error) reject(error)
      else resolve(taken)
    }
    const hear = (data: unknown, isBinary: boolean) => {
      if (!Buffer.isBuffer(data)) return
      frames.push({ data, isBinary })
      if (frames.length > 1) return
      try {
        done(isBinary ? undefined : errorIn(data.toString('utf8')))
      } catch (cause) {
        done(cause)
      }
    }
    const taken = () => {
      upstream.off('message', hear)
      return frames
    }
    const gone = (code: number, reason: Buffer) => done(ended(code, String(reason)))
    const timer = setTimeout(() => done(), TIMEOUT_MS)
    upstream.on('message', hear).once('close', gone)
    upstream.resume()
  })
}

/** The statuses that an HTTP answer with these codes would have had. */
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
