/** The payloads of a stream of server-sent events, in order; comments and other fields are passed over. */
export async function* readEvents(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split(/\r?\n/)
      rest = lines.pop() ?? ''
      yield* payloadsOf(lines)
    }
    yield* payloadsOf([rest])
  } finally {
    // Whoever stops reading also stops the request.
    await reader.cancel().catch(() => undefined)
  }
}

const payloadsOf = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length).trim())
