import { createClient } from '@redis/client'

type RedisReport = Readonly<{ version: string; roundTripMs: number; isPrimary: boolean }>

const CONNECT_MS = 4000

/** Reads the properties of a server that a gateway depends on. Rejects if the server does not respond. */
export async function readRedisReport(url: string): Promise<RedisReport> {
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: CONNECT_MS, socketTimeout: CONNECT_MS, reconnectStrategy: false },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const info = await client.info()
    const started = performance.now()
    await client.ping()
    const roundTripMs = performance.now() - started
    const [, version = ''] = /^(?:redis|valkey)_version:(.+)$/m.exec(info) ?? []
    return { version: version.trim(), roundTripMs, isPrimary: /^role:master/m.test(info) }
  } finally {
    client.destroy()
  }
}
