import { reconcile } from '../../../support/reconcile.ts'
import { aDrawingVendor, aMusicVendor, type TaskVendor } from '../../../support/task-vendors.ts'
import { aWorld, type Person, type Wanted, type World } from '../../../support/world.ts'

/** Initial balance of every account at a fixture, in quota: a hundred dollars. */
export const GIVEN = 50_000_000
/** The default price of an image: a tenth of a dollar. */
export const IMAGINE = 50_000
export const UPSCALE = 25_000

/** A gateway with a channel for images or music, and an account that may use it. */
export type Fixture = Readonly<{ world: World; vendor: TaskVendor; alice: Person; channel: number }>

/** All models of a Midjourney proxy. */
export const DRAWS =
  'mj_imagine,mj_variation,mj_reroll,mj_blend,mj_upscale,mj_describe,mj_upload,mj_zoom,mj_shorten,mj_modal,mj_inpaint,' +
  'mj_custom_zoom,mj_high_variation,mj_low_variation,mj_pan,swap_face,mj_edits,mj_video'

/** A fixture with a Midjourney proxy; by default without background polls. */
export async function aDrawingFixture(wanted: Wanted = {}): Promise<Fixture> {
  const world = await aWorld({ ...wanted, config: { UPDATE_TASK: 'false', ...wanted.config } })
  const vendor = aDrawingVendor(world.upstream)
  const channel = await world.channel({ type: 5, models: DRAWS, key: 'the-secret-key' })
  return { world, vendor, channel, alice: await world.user({ quota: GIVEN }) }
}

/** A fixture with Suno. */
export async function aMusicFixture(wanted: Wanted = {}): Promise<Fixture> {
  const world = await aWorld({ ...wanted, config: { UPDATE_TASK: 'false', ...wanted.config } })
  const vendor = aMusicVendor(world.upstream)
  const channel = await world.channel({ type: 36, models: 'suno_music,suno_lyrics', key: 'the-secret-key' })
  return { world, vendor, channel, alice: await world.user({ quota: GIVEN }) }
}

/** Sends a GET request to a relay path with the user's own key. */
export async function gets({ url }: World, person: Person, path: string) {
  const headers = { authorization: `Bearer sk-${await person.key()}`, 'accept-language': 'en' }
  const response = await fetch(url + path, { headers })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

/** Sends a gateway a callback about an image task. */
export const notices = ({ url }: World, body: object) =>
  fetch(`${url}/mj/notify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** An account's ledger rows, as kinds and amounts in order of time, its balances, and all differences in the ledger. */
export async function booksOf({ gateway }: World, userId: number) {
  const { db, ledger } = gateway.inner
  await ledger.flush()
  const rows = await db
    .selectFrom('ledger')
    .select(['kind', 'amount'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const user = await db
    .selectFrom('users')
    .select(['quota', 'used_quota'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const differences = await reconcile(db)
  return { rows: rows.map(({ kind, amount }) => [kind, amount]), ...user, differences }
}

/** The rows of image tasks, in order of creation. */
export const drawingsIn = ({ gateway }: World) =>
  gateway.inner.db.selectFrom('midjourneys').selectAll().orderBy('id').execute()

/** The rows of tasks, in order of creation. */
export const tasksIn = ({ gateway }: World) => gateway.inner.db.selectFrom('tasks').selectAll().orderBy('id').execute()

/** The text without its request id, which differs each time. */
export const withoutId = (text: string): string => text.replace(/ \(request id: [^)]+\)/, '')
