import { reconcile } from '../../../support/reconcile.ts'
import { aDrawingVendor, aMusicVendor, type TaskVendor } from '../../../support/task-vendors.ts'
import { aWorld, type Person, type Wanted, type World } from '../../../support/world.ts'

/** Money that everybody at a desk begins with, in quota: a hundred dollars. */
export const GIVEN = 50_000_000
/** What a picture costs without anything set: a tenth of a dollar. */
export const IMAGINE = 50_000
export const UPSCALE = 25_000

/** A gateway with a channel that draws, or makes music, and an account that may. */
export type Desk = Readonly<{ world: World; vendor: TaskVendor; alice: Person; channel: number }>

/** Everything that a proxy of Midjourney's may offer. */
export const DRAWS =
  'mj_imagine,mj_variation,mj_reroll,mj_blend,mj_upscale,mj_describe,mj_upload,mj_zoom,mj_shorten,mj_modal,mj_inpaint,' +
  'mj_custom_zoom,mj_high_variation,mj_low_variation,mj_pan,swap_face,mj_edits,mj_video'

/** A desk at a proxy of Midjourney's; without polls of its own unless told otherwise. */
export async function aDrawingDesk(wanted: Wanted = {}): Promise<Desk> {
  const world = await aWorld({ ...wanted, config: { UPDATE_TASK: 'false', ...wanted.config } })
  const vendor = aDrawingVendor(world.upstream)
  const channel = await world.channel({ type: 5, models: DRAWS, key: 'the-secret-key' })
  return { world, vendor, channel, alice: await world.user({ quota: GIVEN }) }
}

/** A desk at Suno. */
export async function aMusicDesk(wanted: Wanted = {}): Promise<Desk> {
  const world = await aWorld({ ...wanted, config: { UPDATE_TASK: 'false', ...wanted.config } })
  const vendor = aMusicVendor(world.upstream)
  const channel = await world.channel({ type: 36, models: 'suno_music,suno_lyrics', key: 'the-secret-key' })
  return { world, vendor, channel, alice: await world.user({ quota: GIVEN }) }
}

/** Gets a relay path with the person's own key. */
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

/** Says to a gateway that there is news of a drawing. */
export const notices = ({ url }: World, body: object) =>
  fetch(`${url}/mj/notify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** What the ledger says of an account: kinds and amounts in the order of time; and no balance differs from it. */
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

/** The rows of drawings, in the order they were made. */
export const drawingsIn = ({ gateway }: World) =>
  gateway.inner.db.selectFrom('midjourneys').selectAll().orderBy('id').execute()

/** The rows of tasks, in the order they were made. */
export const tasksIn = ({ gateway }: World) => gateway.inner.db.selectFrom('tasks').selectAll().orderBy('id').execute()

/** Ids of requests differ, and so do times. */
export const withoutId = (text: string): string => text.replace(/ \(request id: [^)]+\)/, '')
