import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { chatAnswer, chatStream } from './chat.ts'

/** A request as the upstream received it, byte for byte. */
export type Recorded = Readonly<{
  method: string
  path: string
  headers: IncomingHttpHeaders
  rawHeaders: readonly string[]
  bytes: Buffer
  text: string
  /** The body parsed as JSON; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
  json: any
  /** Resolves once the exchange is over: true when the caller left before the response was complete. */
  aborted: Promise<boolean>
}>

/** One event of a stream: a Buffer is sent as it is; other text and objects become a `data:` frame. */
export type StreamEvent = Buffer | string | object

/** A response. With `events` it is a stream. */
export type Script = Readonly<{
  status?: number
  headers?: Record<string, string>
  body?: Buffer | string | object
  /** Delay before the headers. */
  delayMs?: number
  events?: readonly StreamEvent[]
  gapMs?: number
  /** Breaks the connection after this many events (0: right after the headers). */
  cutAfter?: number
  /** Never ends after the last event (without events, never responds) until the caller leaves. */
  hang?: boolean
}>
export type Answering = Script | ((request: Recorded) => Script | Promise<Script>)

/** A fake AI vendor on loopback. Scripts are used in the order given; the last one is repeated. */
export interface Upstream {
  readonly url: string
  /** All requests in order of arrival. */
  readonly requests: readonly Recorded[]
  /** The newest request; throws when there is none. */
  last(): Recorded
  answers(...scripts: Answering[]): void
  streams(events: readonly StreamEvent[], how?: Omit<Script, 'events'>): void
  /** Forgets requests and scripts, and responds as a chat vendor again. */
  reset(): void
  stop(): Promise<void>
}

/** Starts an upstream that responds to chat requests until it gets a script. */
export async function anUpstream(): Promise<Upstream> {
  const requests: Recorded[] = []
  const scripts = createScripts()
  const server = createServer((request, response) => {
    callUpstream(request, response, requests, scripts.next).catch(() => response.destroy())
  })
  // Vendors keep idle connections open for longer than a test takes: a request on one that is just closing would fail.
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    last: () => requests.at(-1) ?? fail('the upstream was not asked'),
    answers: scripts.add,
    streams: (events, how = {}) => scripts.add({ ...how, events }),
    reset() {
      requests.length = 0
      scripts.reset()
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A queue whose last entry stays. */
function createScripts() {
  let queue: Answering[] = []
  let standing: Answering = asChatVendor
  return {
    add: (...scripts: Answering[]) => void queue.push(...scripts),
    next: (): Answering => {
      standing = queue.shift() ?? standing
      return standing
    },
    reset() {
      queue = []
      standing = asChatVendor
    },
  }
}

const asChatVendor = ({ json }: Recorded): Script =>
  json?.stream === true ? { events: chatStream(['Hello', ' there']) } : { body: chatAnswer('Hello there') }

async function callUpstream(
  request: IncomingMessage,
  response: ServerResponse,
  requests: Recorded[],
  next: () => Answering,
): Promise<void> {
  const gone = new AbortController()
  const aborted = once(response, 'close').then(() => {
    gone.abort()
    return !response.writableFinished
  })
  const recorded = await record(request, aborted)
  requests.push(recorded)
  const answering = next()
  const script = typeof answering === 'function' ? await answering(recorded) : answering
  if (script.delayMs) await sleep(script.delayMs, undefined, { signal: gone.signal })
  if (script.events) return stream(response, script, script.events, gone.signal)
  if (script.hang) return
  const { type, bytes } = bodyOf(script.body)
  response.writeHead(script.status ?? 200, { 'content-type': type, 'content-length': bytes.length, ...script.headers })
  response.end(bytes)
}

async function record(request: IncomingMessage, aborted: Promise<boolean>): Promise<Recorded> {
  const bytes = await buffer(request)
  const { method = '', url: path = '', headers, rawHeaders } = request
  // Parsed when a test reads it: parsing on arrival would run in the gateway's event loop, which is the same one here.
  let read: Pick<Recorded, 'text' | 'json'> | undefined
  const reading = () => {
    if (read) return read
    const text = bytes.toString('utf8')
    read = { text, json: jsonIn(text) }
    return read
  }
  return {
    ...{ method, path, headers, rawHeaders, bytes, aborted },
    get text() {
      return reading().text
    },
    get json() {
      return reading().json
    },
  }
}

async function stream(
  response: ServerResponse,
  { status = 200, headers, gapMs = 0, cutAfter, hang }: Script,
  events: readonly StreamEvent[],
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
  response.flushHeaders()
  for (const [index, event] of events.entries()) {
    if (cutAfter === index) break
    if (gapMs > 0 && index > 0) await sleep(gapMs, undefined, { signal: gone })
    if (gone.aborted) return
    await new Promise((written) => response.write(frameOf(event), written))
  }
  if (cutAfter !== undefined) response.destroy()
  else if (!hang) response.end()
}

function frameOf(event: StreamEvent): Buffer | string {
  if (Buffer.isBuffer(event)) return event
  return `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
}

function bodyOf(body: Script['body'] = ''): { type: string; bytes: Buffer } {
  if (Buffer.isBuffer(body)) return { type: 'application/octet-stream', bytes: body }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { type: jsonIn(text) === undefined ? 'text/plain' : 'application/json', bytes: Buffer.from(text) }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fail(why: string): never {
  throw new Error(why)
}
