import { describe, expect, it } from 'vitest'
import type { EndpointTap } from '../../../../gateway/relay/metering/endpoint-tap.ts'
import { longEvents } from '../../../../gateway/relay/transforms/long-events.ts'

const EVENT = 'event: x\ndata: {"type":"one"}\n\ndata:two\r\n\r\n'

function tapped() {
  const payloads: string[] = []
  const payload = (text: string) => {
    payloads.push(text)
    return false
  }
  // The transform uses no other members of its tap, and this tap sees neither the end nor an error.
  const { transform } = longEvents({ payload, observed: {} } as unknown as EndpointTap, (text) => text)
  const feed = (text: string) => transform.feed(Buffer.from(text)).toString()
  return { payloads, feed, end: () => transform.end().toString(), transform }
}

describe('a stream of events as long as images (docs/reference/streams.md#time-outs)', () => {
  it('is read line by line and passes untouched, for any split', () => {
    for (let cut = 0; cut <= EVENT.length; cut += 1) {
      const { payloads, feed, end } = tapped()
      const sent = feed(EVENT.slice(0, cut)) + feed(EVENT.slice(cut)) + end()
      expect([sent, payloads]).toEqual([EVENT, ['{"type":"one"}', 'two']])
    }
  })

  it('lets a cut line wait for its rest, unless it is long', () => {
    const { feed } = tapped()
    expect(feed('data: {"error"')).toBe('')
    expect(feed(':1}\nda')).toBe('data: {"error":1}\n')
    expect(feed('x'.repeat(70_000))).toHaveLength(70_002)
  })

  it('reads a last line without an end', () => {
    const { payloads, feed, end } = tapped()
    expect([feed('data: 1'), end(), payloads]).toEqual(['', 'data: 1', ['1']])
  })

  it('is refused where a line never ends', () => {
    const { transform } = tapped()
    const chunk = Buffer.alloc(16 * 1024 * 1024, 'x')
    for (let count = 0; count < 2; count += 1) transform.feed(chunk)
    expect(() => transform.feed(chunk)).toThrow('longer than 32 MiB')
  })
})
