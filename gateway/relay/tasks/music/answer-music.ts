import { refuse } from '../../../base/errors.ts'
import { parsed } from '../../../base/json/json.ts'
import { taskStore } from '../../../store/requests/tasks.ts'
import type { RowOwner } from '../../../store/row-owner.ts'
import type { TaskRow } from '../../../store/schema/schema-tasks.ts'
import { sendJson } from '../../auxiliary/reply.ts'
import { readBody } from '../../intake/body.ts'
import { jsonBody } from '../../intake/parse.ts'
import type { RequestContext } from '../../model/request-context.ts'
import type { TaskDeps } from '../task-deps.ts'
import { idsIn, MAX_QUESTION, rowsOf } from '../task-ids.ts'
import { SUNO } from './follow-music.ts'

/** Returns a task in the form that clients of Suno's API know. */
const taskView = ({
  task_id,
  action,
  status,
  fail_reason,
  submit_time,
  start_time,
  finish_time,
  progress,
  data,
}: TaskRow) => ({
  task_id,
  action,
  status,
  fail_reason,
  submit_time,
  start_time,
  finish_time,
  progress,
  data: parsed(data) ?? null,
})

const good = (data: unknown) => ({ code: 'success', message: '', data })

export async function sendMusic({ db }: TaskDeps, context: RequestContext, owner: RowOwner, id: string): Promise<void> {
  const row = await taskStore(db).ofOwner(owner, SUNO, id)
  if (!row) throw refuse('invalid', 'relay.noTask', { id }, { code: 'task_not_exist' })
  sendJson(context, 200, good(taskView(row)))
}

export async function sendAllMusic(deps: TaskDeps, context: RequestContext, owner: RowOwner): Promise<void> {
  const memory = deps.bodies.shareFor(context.owner, owner.userId)
  const { json } = await jsonBody(await readBody(context.request, memory, MAX_QUESTION))
  const ids = idsIn(json)
  const store = taskStore(deps.db)
  const rows = await rowsOf(ids, memory, (id) => store.ofOwner(owner, SUNO, id))
  sendJson(context, 200, good(rows.map(taskView)))
}
