import { JsonTooLarge, readJsonNow } from '../../base/json-read.ts'
import { requestBounds, scanNow } from '../../base/json-scan.ts'
import { tooMany } from '../intake/parse.ts'

/** Shorter frames cannot hold enough to matter. */
const UNCOUNTED = 128 * 1024

/** Refuses a frame with more in it than a request may have, whatever it is. */
export function checkFrame(text: string): void {
  if (text.length < UNCOUNTED) return
  const { excess } = scanNow(Buffer.from(text), requestBounds)
  if (excess !== null) throw tooMany(excess)
}

/** What a caller's frame holds; undefined where it is no JSON. Refuses one with more in it than a request may have. */
export function frameJson(bytes: Buffer): unknown {
  try {
    return readJsonNow(bytes, requestBounds).json
  } catch (cause) {
    if (cause instanceof JsonTooLarge) throw tooMany(cause.excess)
    return undefined
  }
}
