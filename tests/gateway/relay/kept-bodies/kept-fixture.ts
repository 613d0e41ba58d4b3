import { dataOf, type Reply } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { type Asking, callRelay, type RelayAnswer } from '../../../support/relay-client.ts'
import { aWorld, type Options, type Person, type World } from '../../../support/world.ts'

/** A gateway that stores bodies, a channel, and a user with a token that requires bodies to be stored. */
export type KeptFixture = Readonly<{ world: World; alice: Person; key: string; tokenId: number; channelId: number }>

/** Opens a fixture; `m` costs one unit per token, and all administrators may read the bodies. */
export async function aKeptFixture(options: Options = {}): Promise<KeptFixture> {
  const world = await aWorld({
    clock: aClock(Date.parse('2026-11-21T10:00:00Z')),
    options: {
      ModelRatio: { m: 1 },
      CompletionRatio: { m: 1 },
      RetryTimes: 0,
      KeepBodiesEnabled: true,
      KeepBodiesViewers: 'admin',
      ...options,
    },
  })
  const channelId = await world.channel({ models: 'm' })
  const alice = await world.user({ quota: 100_000_000 })
  const { key, id } = await world.token(alice, { keep_bodies: true })
  return { world, alice, key, tokenId: id, channelId }
}

export const asked = (text: string, more: object = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content: text }],
  ...more,
})

/** Sends a request with a key. */
export const askWith = (
  { world }: Pick<KeptFixture, 'world'>,
  key: string,
  body: unknown,
  { path = '/v1/chat/completions', ...asking }: Asking & Readonly<{ path?: string }> = {},
): Promise<RelayAnswer> => callRelay(world.url + path, body, { ...asking, key })

export const idOf = ({ headers }: RelayAnswer): string => headers.get('x-request-id') ?? ''

/** The gateway's response to a request for the bodies of a call. */
export const bodiesOf = (who: Pick<Person, 'get'>, answer: RelayAnswer): Promise<Reply> =>
  who.get(`/api/bodies/${idOf(answer)}`)

/** The number of calls with stored bodies. */
export const keptIn = async ({ admin }: World): Promise<number> => dataOf(await admin.get('/api/bodies')).calls

/** The log row of a call, with `other` parsed as `facts`. */
export async function rowOf(who: Pick<Person, 'get'>, answer: RelayAnswer, own = false) {
  const path = own ? '/api/log/self' : '/api/log'
  const { items } = dataOf(await who.get(`${path}?request_id=${idOf(answer)}`))
  return { ...items[0], facts: JSON.parse(items[0].other) }
}
