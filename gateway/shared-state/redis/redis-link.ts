import { createHash } from 'node:crypto'
import { createClient } from '@redis/client'
import type { Logger } from '../../base/log/logger.ts'

/** A connection to Redis, for what may be lost. No call fails or takes longer than 20 ms. */
export interface RedisLink {
  /** False from a call that failed or took too long until Redis responds again. */
  readonly isUp: boolean
  /** Runs a command; undefined if Redis is away, slow or refuses it. */
  run(command: readonly string[]): Promise<unknown>
  /** Runs a script, which is sent in full only where Redis does not have it. */
  runScript(script: Script, keys: readonly string[], values: readonly string[]): Promise<unknown>
  /** Calls `listener` for each message of a channel; `onReady` whenever messages may have been missed. */
  subscribe(channel: string, listener: (message: string) => void, onReady: () => void): void
  close(): void
}

/** A Lua script and its SHA-1. */
type Script = Readonly<{ text: string; hash: string }>

export const scriptOf = (text: string): Script => ({ text, hash: createHash('sha1').update(text).digest('hex') })

/** A server further away is of no use. */
const MAX_WAIT_MS = 20
const PROBE_MS = 1000
/** A connection without a response for this long is replaced: its packets may be dropped. */
const SILENT_MS = 5000
const CONNECT_MS = 4000
const MAX_RECONNECT_MS = 2000
const MAX_QUEUE = 10_000
const PROBE = ['SET', 'switchyard:probe', '1', 'PX', '60000']

/** Opens a connection without waiting for it. The address is in no log line. */
export function openRedisLink({ url, log }: Readonly<{ url: string; log: Logger }>): RedisLink {
  let isUp = false
  let isClosed = false
  let probing = false
  const listeners: (() => void)[] = []
  const setUp = (now: boolean) => {
    if (isUp === now || isClosed) return
    isUp = now
    if (now) {
      log.info('Redis responds: the nodes count limits together')
      for (const listener of listeners) listener()
    } else log.warn('Redis does not respond: each node counts its share of limits')
  }
  const send = (command: readonly string[]) => inTime(client.sendCommand([...command]))
  const probe = async () => {
    if (isUp || isClosed || probing || !client.isReady) return
    probing = true
    try {
      await send(PROBE)
      setUp(true)
    } catch (error) {
      // A server that refuses writes may have become a replica: its name may lead to another one by now.
      if (!isReadOnly(error)) return
      client.destroy()
      client = open()
    } finally {
      probing = false
    }
  }
  const open = () => connectTo(url, () => void probe())
  let client = open()
  const timer = setInterval(() => void probe(), PROBE_MS).unref()
  const attempt = async (work: () => Promise<unknown>) => {
    if (!isUp) return undefined
    try {
      return await work()
    } catch {
      setUp(false)
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
      const subscriber = client.duplicate()
      subscriber.on('error', () => {})
      subscriber.on('ready', onReady)
      listeners.push(onReady)
      subscribers.push(subscriber)
      subscriber
        .connect()
        .then(() => subscriber.subscribe(channel, listener))
        .catch((error: unknown) => isClosed || log.warn('messages of Redis cannot be read', { error }))
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

/** Connects without waiting for it, and again whenever the connection ends. */
function connectTo(url: string, onReady: () => void) {
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
  // Every failed attempt is reported here; `isUp` shows the result.
  client.on('error', () => {})
  client.on('ready', onReady)
  client.connect().catch(() => {})
  return client
}

const isReadOnly = (error: unknown): boolean => error instanceof Error && error.message.startsWith('READONLY')
const isUnknownScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

/** Rejects after 20 ms. A busy event loop reads replies that have arrived first. */
function inTime<T>(reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = () => setImmediate(() => reject(new Error('no response in time')))
    const timer = setTimeout(expire, MAX_WAIT_MS)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
