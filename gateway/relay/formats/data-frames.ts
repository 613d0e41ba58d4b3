import type { FrameReader } from './codec.ts'
import { createLineReader } from './sse.ts'

/** Cuts server-sent events into what their data says. */
export function dataFrames(): FrameReader {
  let payloads: string[] = []
  const reader = createLineReader((payload) => {
    payloads.push(payload)
    return 'drop'
  })
  const taken = () => {
    const all = payloads
    payloads = []
    return all
  }
  return {
    feed(bytes) {
      reader.feed(bytes)
      return taken()
    },
    end() {
      reader.end()
      return taken()
    },
  }
}
