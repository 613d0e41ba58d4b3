import { createParser } from 'eventsource-parser'

/** The data of a stream of server-sent events, in order, also of a last one that the end cut short of its blank line. */
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
    // Whoever stops reading also stops the request.
    await reader.cancel().catch(() => undefined)
  }
}
