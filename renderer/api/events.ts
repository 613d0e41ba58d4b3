import { createParser } from 'eventsource-parser'

/** Yields the data of server-sent events in order, including a last event that lacks its terminating blank line. */
export async function* readEvents(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  const events: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) })
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(part.value)
      yield* events.splice(0)
    }
    parser.feed('\n\n')
    yield* events.splice(0)
  } finally {
    // Stops the request when the consumer stops reading.
    await reader.cancel().catch(() => undefined)
  }
}
