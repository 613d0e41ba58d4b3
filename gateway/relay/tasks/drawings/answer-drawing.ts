import { isObject } from '../../../base/json/json.ts'
import { withKey } from '../../../channels/registry/active-channel.ts'
import { drawingStore } from '../../../store/requests/drawings.ts'
import type { RowOwner } from '../../../store/row-owner.ts'
import { sendJson } from '../../auxiliary/reply.ts'
import { readBody } from '../../intake/body.ts'
import { jsonBody } from '../../intake/parse.ts'
import type { RequestContext } from '../../model/request-context.ts'
import { queryVendor, withoutChannel } from '../ask-vendor.ts'
import type { TaskDeps } from '../task-deps.ts'
import { idsIn, MAX_QUESTION, rowsOf } from '../task-ids.ts'
import { channelOf, noDrawing } from './drawing-order.ts'
import { drawingTold } from './drawing-view.ts'

const SEED_WAIT_MS = 30_000

export async function sendDrawing(deps: TaskDeps, context: RequestContext, owner: RowOwner, id: string): Promise<void> {
  const row = await drawingStore(deps.db).ofOwner(owner, id)
  if (!row) throw noDrawing(id)
  sendJson(context, 200, drawingTold(row, deps.links))
}

export async function sendDrawings(deps: TaskDeps, context: RequestContext, owner: RowOwner): Promise<void> {
  const memory = deps.bodies.shareFor(context.owner, owner.userId)
  const { json } = await jsonBody(await readBody(context.request, memory, MAX_QUESTION))
  const ids = idsIn(json)
  const store = drawingStore(deps.db)
  const rows = await rowsOf(ids, memory, (id) => store.ofOwner(owner, id))
  sendJson(
    context,
    200,
    rows.map((row) => drawingTold(row, deps.links)),
  )
}

export async function sendSeed(
  deps: TaskDeps,
  context: RequestContext,
  owner: RowOwner,
  { id, forward }: Readonly<{ id: string; forward: string }>,
): Promise<void> {
  const row = await drawingStore(deps.db).ofOwner(owner, id)
  if (!row) throw noDrawing(id)
  const found = channelOf(deps, row)
  const channel = withKey(found, row.key_id) ?? found
  const question = { channel, endpoint: 'drawing', method: 'GET', path: forward, waitMs: SEED_WAIT_MS } as const
  const json = await queryVendor(deps, question)
  sendJson(context, 200, withoutChannel(isObject(json) ? json : {}, channel))
}
