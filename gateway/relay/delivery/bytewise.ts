import type { EndpointTap } from '../metering/endpoint-tap.ts'
import type { Passing } from './stream-transforms.ts'

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
