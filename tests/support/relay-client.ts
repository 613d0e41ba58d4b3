/** The response of a relay route, read to its end. */
export type RelayAnswer = Readonly<{
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was answered
  json: any
  /** The payloads of a stream's `data:` lines, parsed if they are JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  events: any[]
  /** The texts of a chat response or stream, joined. */
  content: string
}>

export type Asking = Readonly<{
  stream?: boolean
  /** The key of a token other than the user's default one. */
  key?: string
  headers?: Record<string, string>
  /** Additional fields of the body. */
  body?: object
  signal?: AbortSignal
}>

/** Posts to a relay route with an API token and reads the response to its end. */
export async function callRelay(url: string, body: unknown, { key, headers, signal }: Asking): Promise<RelayAnswer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
      ...headers,
    },
    body: isRaw ? (body as string) : JSON.stringify(body), // fetch takes bytes as well as text
    signal,
  })
  const text = await response.text()
  const json = parsed(text)
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [parsed(line.slice(6)) ?? line.slice(6)] : []))
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    events,
    content: contentIn([json, ...events]),
  }
}

export const chatBody = (model: string, text: string, { stream, body }: Asking) => ({
  model,
  messages: [{ role: 'user', content: text }],
  ...(stream ? { stream: true } : {}),
  ...body,
})

// biome-ignore lint/suspicious/noExplicitAny: whatever the gateway answered
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const contentIn = (answers: ReturnType<typeof parsed>[]): string =>
  answers
    .flatMap((answer) => answer?.choices ?? [])
    .map((choice) => choice.message?.content ?? choice.delta?.content ?? '')
    .join('')
