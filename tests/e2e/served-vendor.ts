import { type Client, dataOf, signedIn } from '../support/client.ts'
import { callRelay, chatBody } from '../support/relay-client.ts'
import { anUpstream, type Upstream } from '../support/upstream.ts'
import { ROOT, readyGateway, type ServedConsole, type StandIns } from './gateway.ts'

/** A served console with a vendor; `stop` ends both. */
export type ServedVendor = ServedConsole &
  Readonly<{
    upstream: Upstream
    /** The administrator's API client. */
    root: Client
    /** Creates an ordinary user with a quota of $2 and the administrator's password. */
    person: (username: string) => Promise<Client>
    channel: (fields?: object) => Promise<void>
    /** Sends a request with that user's token; waits until it is charged. */
    asks: (who: Client, model: string, more?: object) => Promise<number>
  }>

/** Starts a gateway that is set up, and a fake vendor on loopback. */
export async function servedVendor(standIns: StandIns = {}): Promise<ServedVendor> {
  const gateway = await readyGateway(standIns)
  const upstream = await anUpstream()
  const root = await signedIn(gateway.url, ROOT.username, ROOT.password)
  const keys = new Map<Client, string>()
  const keyOf = async (who: Client) => {
    const known = keys.get(who) ?? dataOf(await who.post('/api/token', { name: 'laptop', unlimited_quota: true })).key
    keys.set(who, known)
    return known
  }
  return {
    ...gateway,
    upstream,
    root,
    person: (username) => newPerson(gateway, username),
    async channel(fields = {}) {
      const usual = { type: 1, name: 'vendor', key: 'vendor-key', models: 'gpt-4o', group: 'default' }
      dataOf(await root.post('/api/channel', { ...usual, base_url: upstream.url, ...fields }))
    },
    async asks(who, model, more = {}) {
      const key = await keyOf(who)
      const { status } = await callRelay(`${gateway.url}/v1/chat/completions`, chatBody(model, 'hi', { body: more }), {
        key,
      })
      await gateway.inner.ledger.flush()
      return status
    },
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}

async function newPerson({ url, inner }: ServedConsole, username: string): Promise<Client> {
  const { db, ledger } = inner
  const root = await db.selectFrom('users').select('password').where('username', '=', 'root').executeTakeFirstOrThrow()
  const row = { username, group: 'default', role: 1, display_name: username, created_at: 1_700_000_000, ...root }
  const { id } = await db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  await ledger.move({ kind: 'grant', userId: id, amount: 1_000_000, refType: 'test', refId: `born-${id}` })
  return signedIn(url, username, ROOT.password)
}
