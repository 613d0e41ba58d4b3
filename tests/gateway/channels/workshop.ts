import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { createConsistency } from '../../../gateway/channels/admin/consistency.ts'
import { createEditor } from '../../../gateway/channels/admin/editor.ts'
import { createTagEditor } from '../../../gateway/channels/admin/tags.ts'
import { createChannelRegistry } from '../../../gateway/channels/registry/channel-registry.ts'
import { openSettings, type Settings } from '../../../gateway/settings/settings.ts'
import type { Db } from '../../../gateway/store/sqlite/database.ts'
import { databases } from '../../support/databases.ts'
import { optionRows } from '../../support/option-rows.ts'

export const NOW = 1_750_000_000
export const clock = { now: () => NOW * 1000, monotonic: () => performance.now() }
export const vault = createVault(randomBytes(32))
export const dialects = Object.keys(databases)

export type Opened = { db: Db; close(): Promise<void> }

/** An empty, migrated database: a file in a temporary folder, or PostgreSQL inside this process. */
export async function openEmpty(dialect: string): Promise<Opened> {
  const open = databases[dialect]
  if (!open) throw new Error(`no database ${dialect}`)
  return open()
}

/** The channel registry and the editors over a database. */
export function workshop(db: Db) {
  const registry = createChannelRegistry({ db, vault, log: silentLogger })
  const editor = createEditor({ db, vault, registry, clock })
  const tags = createTagEditor({ db, registry })
  const clear = async () => {
    await db.deleteFrom('channels').execute()
    await db.deleteFrom('channel_upstream_seen').execute()
    await db.deleteFrom('channel_keys').execute()
    await registry.reload()
  }
  return { registry, editor, tags, clear, mend: createConsistency({ db, registry, clock }) }
}

/** Settings kept only in memory. */
export const settingsWith = async (values: Record<string, string> = {}): Promise<Settings> => {
  const store = optionRows(values)
  return openSettings({ store, listenAddress: () => '', warn: () => {}, defaults: {} })
}

export type Reply = { status?: number; body: unknown; headers?: Record<string, string>; delayMs?: number }
export type Heard = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** An upstream on loopback that responds by path and records requests. */
export async function upstream(replies: Record<string, Reply>) {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = request.url ?? ''
    heard.push({ method: request.method ?? '', url, headers: request.headers, body: Buffer.concat(chunks).toString() })
    const reply = replies[url.split('?')[0] ?? ''] ?? { status: 404, body: { error: { message: 'no such page' } } }
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { base: `http://127.0.0.1:${port}`, port, heard, replies, close }
}
