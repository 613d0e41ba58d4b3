import type { EndpointTap } from './endpoints/tap.ts'
import type { Passing } from './passages.ts'

/** An answer without events: its bytes pass as they come. */
export function bytewise(tap: EndpointTap): Passing {
  const feed = (bytes: Buffer) => {
    tap.bytes(bytes)
    return bytes
  }
  const end = () => {
    tap.end()
    return ''
  }
  return { passage: { feed, end, close: () => '' }, tap }
}
