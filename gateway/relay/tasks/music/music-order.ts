import { channelStatus, taskStatus } from '../../../../shared/enums.ts'
import { unixSeconds } from '../../../base/clock.ts'
import { refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, objectsIn, parsed, textIn, written } from '../../../base/json/json.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { taskStore } from '../../../store/requests/tasks.ts'
import type { RowOwner } from '../../../store/row-owner.ts'
import type { TaskRow } from '../../../store/schema/schema-tasks.ts'
import { rowOwnerOf } from '../../model/caller.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { queryVendor, withoutChannel } from '../ask-vendor.ts'
import type { ReadOrder, TaskAnswer, TaskFacts } from '../submit.ts'
import type { TaskDeps } from '../task-deps.ts'
import { idsOf, vendorIds } from '../vendor-ids.ts'
import { SUNO } from './follow-music.ts'

const SUBMIT_WAIT_MS = 60_000
const DEFAULT_VERSION = 'chirp-v3-0'
const actions = { music: 'MUSIC', lyrics: 'LYRICS' } as const
type MusicAction = (typeof actions)[keyof typeof actions]

export const readMusic =
  (deps: TaskDeps, actionName: string): ReadOrder =>
  async (caller, json) => {
    const action = Object.hasOwn(actions, actionName.toLowerCase())
      ? actions[actionName.toLowerCase() as keyof typeof actions]
      : undefined
    if (!action) throw bad('action', 'invalid_action')
    const prompt = textIn(json.prompt) ?? ''
    if (action === 'LYRICS' && prompt.trim() === '') throw bad('prompt', 'prompt_empty')
    const origin = await originOf(deps, rowOwnerOf(caller), json)
    const { mv } = json
    const body = action === 'MUSIC' && (mv === undefined || mv === '') ? { ...json, mv: DEFAULT_VERSION } : json
    const described = textIn(json.gpt_description_prompt) ?? ''
    return {
      endpoint: 'task',
      model: `suno_${action.toLowerCase()}`,
      isFree: false,
      userText: { input: json },
      origin,
      sendTo: (channel) => sendTo(deps, channel, action, body),
      save: (answer, facts) => save(deps, { action, input: prompt || described }, answer, facts),
    }
  }

/**
 * Returns the channel of the tasks and clips that a body names, which must be the caller's own: accounts of the gateway
 * share the vendor's account, and the vendor does not distinguish their tasks.
 */
async function originOf({ db, registry }: TaskDeps, owner: RowOwner, json: JsonObject) {
  const named = vendorIds(json)
  const other = named.find(({ kind }) => kind === 'other')
  if (other)
    throw refuse(
      'invalid',
      'relay.idNotTraceable',
      { field: other.field },
      { code: 'id_not_traceable', param: other.field },
    )
  const [taskIds, clips] = [idsOf(named, 'task'), idsOf(named, 'clip')]
  if (taskIds.length === 0 && clips.length === 0) return undefined
  if (taskIds.length === 0)
    throw refuse('invalid', 'relay.fieldMissing', { field: 'task_id' }, { code: 'task_id_empty' })
  if (taskIds.length > MAX_TASKS) throw bad('task_id', 'invalid_request')
  const rows = await Promise.all(taskIds.map((id) => ownTask(db, owner, id)))
  const own = new Set(rows.flatMap(({ data }) => objectsIn(parsed(data)).flatMap(({ id, clip_id }) => [id, clip_id])))
  if (!clips.every((clip) => own.has(clip))) throw noTask(taskIds.join(', '))
  const [row] = rows
  if (!row || rows.some(({ channel_id, key_id }) => channel_id !== row.channel_id || key_id !== row.key_id))
    throw bad('task_id', 'invalid_request')
  const channel = registry.channel(row.channel_id)
  if (!channel) throw refuse('invalid', 'relay.taskChannelGone', {}, { code: 'channel_not_found' })
  if (channel.status !== channelStatus.enabled)
    throw refuse('forbidden', 'relay.taskChannelDisabled', {}, { code: 'channel_disabled' })
  return { channelId: row.channel_id, keyId: row.key_id }
}

const MAX_TASKS = 10

async function ownTask(db: TaskDeps['db'], owner: RowOwner, id: string): Promise<TaskRow> {
  const row = await taskStore(db).ofOwner(owner, SUNO, id)
  if (!row) throw noTask(id)
  return row
}

const noTask = (id: string) => refuse('invalid', 'relay.noTask', { id }, { code: 'task_not_exist' })

async function sendTo(
  deps: TaskDeps,
  channel: ActiveChannel,
  action: MusicAction,
  body: JsonObject,
): Promise<TaskAnswer> {
  const path = `/suno/submit/${action}`
  const question = { channel, endpoint: 'task', method: 'POST', path, body, waitMs: SUBMIT_WAIT_MS } as const
  const json = await queryVendor(deps, question)
  const isTaken = isObject(json) && json.code === 'success' && typeof json.data === 'string' && json.data !== ''
  if (isTaken) return { json, isCharged: true }
  const { message, code } = isObject(json) ? json : { message: '', code: '' }
  const details = { message: textIn(message) || 'the upstream did not take the task', code }
  throw new UpstreamError(500, details.message, { body: details })
}

async function save(
  { db, clock }: TaskDeps,
  { action, input }: Readonly<{ action: MusicAction; input: string }>,
  { json }: TaskAnswer,
  { caller, context, channel, quota }: TaskFacts,
): Promise<JsonObject> {
  const now = unixSeconds(clock)
  await taskStore(db).add({
    created_at: now,
    updated_at: now,
    task_id: textIn(json.data) ?? '',
    platform: SUNO,
    user_id: caller.account.id,
    token_id: caller.tokenId,
    request_id: context.requestId,
    channel_id: channel.id,
    key_id: channel.keyId,
    quota,
    action,
    status: taskStatus.notStarted,
    submit_time: now,
    progress: '0%',
    properties: written({ input: input.slice(0, MAX_INPUT) }),
  })
  return withoutChannel(json, channel)
}

const MAX_INPUT = 20_000

const bad = (field: string, code: string) => refuse('invalid', 'relay.fieldInvalid', { field }, { code, param: field })
