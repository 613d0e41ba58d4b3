import { channelStatus, taskStatus } from '../../../../shared/enums.ts'
import { unixSeconds } from '../../../base/clock.ts'
import { refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, objectsIn, parsed, textIn, written } from '../../../base/json/json.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { taskStore } from '../../../store/requests/tasks.ts'
import type { RowOwner } from '../../../store/row-owner.ts'
import { rowOwnerOf } from '../../model/caller.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { queryVendor, withoutChannel } from '../ask-vendor.ts'
import type { ReadOrder, TaskAnswer, TaskFacts } from '../submit.ts'
import type { TaskDeps } from '../task-deps.ts'
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
      : undefined // checked above
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
      userText: { prompt, texts: [described, textIn(json.title) ?? '', textIn(json.tags) ?? ''] },
      origin,
      sendTo: (channel) => sendTo(deps, channel, action, body),
      save: (answer, facts) => save(deps, { action, input: prompt || described }, answer, facts),
    }
  }

/**
 * Returns the channel of a clip to continue: that of the caller's own task that produced it, according to its vendor.
 */
async function originOf({ db, registry }: TaskDeps, owner: RowOwner, json: JsonObject) {
  const clip = idIn(json, 'continue_clip_id')
  const taskId = idIn(json, 'task_id')
  if (clip === '') return undefined
  if (taskId === '') throw refuse('invalid', 'relay.fieldMissing', { field: 'task_id' }, { code: 'task_id_empty' })
  const row = await taskStore(db).ofOwner(owner, SUNO, taskId)
  // Several accounts may have clips at one vendor, which does not distinguish them.
  const isOfTask = objectsIn(parsed(row?.data ?? '')).some(({ id, clip_id: other }) => id === clip || other === clip)
  if (!row || !isOfTask) throw refuse('invalid', 'relay.noTask', { id: taskId }, { code: 'task_not_exist' })
  const channel = registry.channel(row.channel_id)
  if (!channel) throw refuse('invalid', 'relay.taskChannelGone', {}, { code: 'channel_not_found' })
  if (channel.status !== channelStatus.enabled)
    throw refuse('forbidden', 'relay.taskChannelDisabled', {}, { code: 'channel_disabled' })
  return { channelId: row.channel_id, keyId: row.key_id }
}

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

/**
 * Returns an id as text, empty if absent; throws for other types, which vendors accept but cannot be compared with the
 * caller's own.
 */
function idIn(json: JsonObject, field: string): string {
  const id = textIn(json[field] ?? '')
  if (id === undefined || id.length > MAX_ID) throw bad(field, 'invalid_request')
  return id
}

const MAX_INPUT = 20_000
const MAX_ID = 200

const bad = (field: string, code: string) => refuse('invalid', 'relay.fieldInvalid', { field }, { code, param: field })
