import { describe, expect, it } from 'vitest'
import { readEvents } from '../../../renderer/api/events.ts'

const bytes = new TextEncoder()

/** The event data of a body that arrives in these pieces. */
async function read(pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? bytes.encode(piece) : piece)
      controller.close()
    },
  })
  const received: string[] = []
  for await (const data of readEvents(new Response(body))) received.push(data)
  return received
}

describe('the events of a stream (the HTML standard, "Server-sent events")', () => {
  it('come complete for any split of the stream, also within a character', async () => {
    const text = ': hello\n\ndata: {"a":"管"}\r\n\r\nevent: x\nid: 1\ndata: two\n\n'
    const whole = bytes.encode(text)
    for (let cut = 0; cut <= whole.length; cut += 1)
      expect(await read([whole.slice(0, cut), whole.slice(cut)]), String(cut)).toEqual(['{"a":"管"}', 'two'])
  })

  it('may have their data on several lines, and lines that end as they like', async () => {
    expect(await read(['data: one\ndata: two\n\ndata:three\r\rdata\n\n'])).toEqual(['one\ntwo', 'three', ''])
  })

  it('are read even if the last blank line is missing', async () => {
    expect(await read(['data: one\n\ndata: [DONE]'])).toEqual(['one', '[DONE]'])
    expect(await read([])).toEqual([])
  })

  it('end the request when they are no longer read', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes.encode('data: one\n\ndata: two\n\n')),
      cancel: () => {
        cancelled = true
      },
    })
    for await (const data of readEvents(new Response(body))) {
      expect(data).toBe('one')
      break
    }
    expect(cancelled).toBe(true)
  })
})
