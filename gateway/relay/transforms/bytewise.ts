import type { EndpointTap } from '../metering/endpoint-tap.ts'
import type { TappedTransform } from './transform.ts'

/** An answer without events: its bytes pass as they come. */
export function bytewise(tap: EndpointTap): TappedTransform {
  const feed = (bytes: Buffer) => {
    tap.bytes(bytes)
    return bytes
  }
  const end = () => {
    tap.end()
    return ''
  }
  return { transform: { feed, end, close: () => '' }, tap }
}
