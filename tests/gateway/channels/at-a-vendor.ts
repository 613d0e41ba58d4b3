import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createHttpClient } from '../../../gateway/base/network/http-client.ts'
import { channelStore } from '../../../gateway/store/channels/channels.ts'
import { type Opened, openEmpty, upstream, workshop } from './workshop.ts'

type Server = Awaited<ReturnType<typeof upstream>>

/** An empty database, a vendor that responds by path, and channels to it. Call it once per file. */
export function atAVendor() {
  const client = createHttpClient(1_000)
  let opened: Opened
  let parts: ReturnType<typeof workshop>
  let server: Server
  beforeAll(async () => {
    opened = await openEmpty('SQLite')
    parts = workshop(opened.db)
    server = await upstream({})
  })
  beforeEach(async () => {
    for (const path of Object.keys(server.replies)) delete server.replies[path]
    server.heard.length = 0
    await parts.clear()
  })
  afterAll(async () => {
    await client.close()
    await server.close()
    await opened.close()
  })
  return {
    fetchTrusted: client.fetchTrusted,
    db: () => opened.db,
    parts: () => parts,
    server: () => server,
    make: (type: number, fields: object = {}) =>
      parts.editor.create({
        type,
        name: 'one',
        key: 'sk-one',
        models: 'm',
        base_url: server.base,
        other: 'x',
        ...fields,
      }),
    first: async () => (await channelStore(opened.db).all())[0]!,
  }
}
