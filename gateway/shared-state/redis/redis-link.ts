import { createHash } from 'node:crypto'
import { createClient, ErrorReply } from '@redis/client'
import type { Logger } from '../../base/log/logger.ts'

/** A connection to Redis, for data that may be lost. No call fails or takes longer than 20 ms. */
export interface RedisLink {
  /** False from a call that failed or took too long until Redis responds again. */
  readonly isUp: boolean
  /** Runs a command; undefined if Redis is away, slow or refuses it. */
  run(command: readonly string[]): Promise<unknown>
  /** Runs a script, which is sent in full only if Redis does not have it yet. */
  runScript(script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown>
  /** Calls `listener` for each message of a channel; `onReady` whenever messages may have been missed. */
  subscribe(channel: string, listener: (message: string) => void, onReady: () => void): void
  close(): void
}

/** A Lua script and its SHA-1. */
type Script = Readonly<{ text: string; hash: string }>

export const scriptOf = (text: string): Script => ({ text, hash: createHash('sha1').update(text).digest('hex') })

/** Max time to wait for a reply: slower servers are not used. */
const MAX_WAIT_MS = 20
const PROBE_MS = 1000
/** A connection without a response for this long is replaced: its packets may be dropped. */
const SILENT_MS = 5000
const CONNECT_MS = 4000
const MAX_RECONNECT_MS = 2000
const MAX_QUEUE = 10_000
const PROBE = ['SET', 'switchyard:probe', '1', 'PX', '60000']

/** Opens a connection without waiting for it. No log line contains the address. */
export function openRedisLink({ url, log }: Readonly<{ url: string; log: Logger }>): RedisLink {
  let isUp = false
  let isClosed = false
  let probing = false
  /** The state that was logged last. */
  let logged: boolean | undefined
  const listeners: (() => void)[] = []
  const setUp = (now: boolean, error?: unknown) => {
    if (isClosed) return
    isUp = now
    if (logged === now) return
    logged = now
    if (!now)
      return log.warn('Redis does not respond: each node counts its share of limits', { reason: reasonOf(error) })
    log.info('Redis responds: the nodes count limits together')
    for (const listener of listeners) listener()
  }
  const send = (command: readonly string[]) => inTime(client.sendCommand([...command]))
  const probe = async () => {
    if (isUp || isClosed || probing || !client.isReady) return
    probing = true
    try {
      await send(PROBE)
      setUp(true)
    } catch (error) {
      setUp(false, error)
      // A server that refuses writes may have become a replica, and its name may lead to another server by now.
      if (!isReadOnly(error)) return
      client.destroy()
      client = open()
    } finally {
      probing = false
    }
  }
  const open = () => connectTo(url, { ready: () => void probe(), failed: (error) => setUp(false, error) })
  let client = open()
  const timer = setInterval(() => void probe(), PROBE_MS).unref()
  const attempt = async (work: () => Promise<unknown>) => {
    if (!isUp) return undefined
    try {
      return await work()
    } catch (error) {
      setUp(false, error)
      return undefined
    }
  }
  const subscribers: { destroy(): void }[] = []
  return {
    get isUp() {
      return isUp
    },
    run: (command) => attempt(() => send(command)),
    runScript: ({ text, hash }, keys, values) =>
      attempt(async () => {
        const rest = [String(keys.length), ...keys, ...values]
        try {
          return await send(['EVALSHA', hash, ...rest])
        } catch (error) {
          if (!isUnknownScript(error)) throw error
          return await send(['EVAL', text, ...rest])
        }
      }),
    subscribe(channel, listener, onReady) {
      listeners.push(onReady)
      subscribers.push(subscribed(url, channel, listener, onReady))
    },
    close() {
      isClosed = true
      isUp = false
      clearInterval(timer)
      client.destroy()
      for (const subscriber of subscribers) subscriber.destroy()
    },
  }
}

/**
 * Listens to a channel on a connection that only subscribes; its failures are ignored, since the other connection
 * reports them too.
 */
function subscribed(url: string, channel: string, listener: (message: string) => void, onReady: () => void) {
  let isSubscribed = false
  const ready = () => {
    onReady()
    if (isSubscribed) return
    // Once a subscription has succeeded, the client repeats it for each new connection.
    client.subscribe(channel, listener).then(
      () => {
        isSubscribed = true
      },
      () => {},
    )
  }
  const client = connectTo(url, { ready, failed: () => {} })
  return client
}

/** Connects in the background, and again whenever the connection ends; `failed` is called for each failed attempt. */
function connectTo(url: string, { ready, failed }: Readonly<{ ready: () => void; failed: (error: unknown) => void }>) {
  const client = createClient({
    url,
    RESP: 2,
    name: 'switchyard',
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_QUEUE,
    pingInterval: PROBE_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, MAX_RECONNECT_MS),
    },
  })
  client.on('error', failed)
  client.on('ready', ready)
  client.connect().catch(failed)
  return client
}

/** A code such as ECONNREFUSED, or Redis's own message; neither contains the address or the password. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof ErrorReply || error instanceof TooLate ? error.message : error.constructor.name
}

const isReadOnly = (error: unknown): boolean => error instanceof Error && error.message.startsWith('READONLY')
const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

class TooLate extends Error {}

/** Rejects after 20 ms. If the event loop was busy, replies that have already arrived are read first. */
function inTime<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => setImmediate(() => reject(new TooLate('no response within 20 ms')))
    const timer = setTimeout(expire, MAX_WAIT_MS)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
