import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { dataOf } from '../../support/client.ts'
import type { Person, World } from '../../support/world.ts'
import { until } from '../channels/testing/run-watch.ts'

/** A notification as a webhook received it. */
export type Received = Readonly<{
  path: string
  headers: IncomingHttpHeaders
  raw: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  json: any
}>

/**
 * A webhook server on loopback that records notifications. Responds with the given statuses in order, then with 200.
 */
export async function aReceiver(statuses: (number | 'hang')[] = []) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    received.push({ path: request.url ?? '', headers: request.headers, raw, json: JSON.parse(raw) })
    const status = statuses.shift() ?? 200
    if (status !== 'hang') response.writeHead(status, { location: '/elsewhere' }).end('thanks')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    statuses,
    /** Waits until `count` notifications have arrived. */
    has: (count: number) => until(() => received.length >= count),
  }
}

/** Saves a user's notification settings. */
export const isTold = async (person: Pick<Person, 'put'>, setting: object): Promise<void> =>
  void dataOf(await person.put('/api/user/setting', setting))

/** Gives an account its own mail address. */
export const hasAddress = async ({ gateway }: World, { id }: Pick<Person, 'id'>, email: string): Promise<void> =>
  void (await gateway.inner.db.updateTable('users').set({ email }).where('id', '=', id).execute())

/** System messages in a user's log, newest first. */
export async function systemLog({ gateway }: World, userId: number): Promise<string[]> {
  const { db, ledger } = gateway.inner
  await ledger.flush()
  const rows = await db
    .selectFrom('logs')
    .select('content')
    .where('user_id', '=', userId)
    .where('type', '=', 4)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ content }) => content)
}
