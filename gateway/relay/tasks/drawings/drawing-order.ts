import { channelStatus, drawingStatus } from '../../../../shared/enums.ts'
import { refuse } from '../../../base/errors.ts'
import { isObject, type JsonObject, numberIn, objectIn, textIn } from '../../../base/json/json.ts'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { countUnpaidDrawings, drawingStore } from '../../../store/requests/drawings.ts'
import type { RowOwner } from '../../../store/row-owner.ts'
import type { DrawingRow, NewDrawing } from '../../../store/schema/schema-tasks.ts'
import { type Caller, rowOwnerOf } from '../../model/caller.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { queryVendor, withoutChannel } from '../ask-vendor.ts'
import { MAX_ADDRESS, propertiesOf, textOf, videosIn } from '../response-fields.ts'
import type { ReadOrder, TaskAnswer, TaskFacts } from '../submit.ts'
import type { TaskDeps } from '../task-deps.ts'
import { type DrawingRequest, drawingRequestIn, hasVideoFlag, videoOf } from './drawing-action.ts'
import type { DrawingSubmission } from './drawing-paths.ts'
import { videosTold } from './drawing-view.ts'

const SUBMIT_WAIT_MS = 60_000
/** Result codes of a proxy for submissions (docs/reference/tasks.md#drawings). */
const codes = { submitted: 1, noAccount: 3, exists: 21, queued: 22, saturated: 30 } as const
/** Actions that only open a window; the action that follows is charged. */
const FREE: ReadonlySet<string> = new Set(['INPAINT', 'CUSTOM_ZOOM'])
const MAX_FREE = 100
/** A drawing that is still unfinished after this time has failed, or soon will (docs/reference/tasks.md#polling). */
const MAX_DRAWING_MS = 7_200_000

export const readDrawing =
  (deps: TaskDeps, { submit, forward }: Extract<DrawingSubmission, { kind: 'submit' }>): ReadOrder =>
  async (caller, json) => {
    const named = drawingRequestIn(submit, json)
    if (FREE.has(named.action)) await refuseManyFree(deps, caller)
    const origin = named.taskId === '' ? undefined : await originOf(deps, rowOwnerOf(caller), named)
    const request = makesVideo(named, json, origin) ? videoOf(named) : named
    const prompt = textIn(json.prompt) ?? origin?.prompt ?? ''
    const body = sentBody(deps, json)
    const path = deps.settings.get('MjModeClearEnabled') ? withoutMode(forward) : forward
    const { action, model } = request
    return {
      endpoint: 'drawing',
      model,
      isFree: FREE.has(action),
      userText: { prompt: textIn(json.prompt) ?? '' },
      origin: origin && { channelId: origin.channel_id, keyId: origin.key_id },
      sendTo: (channel) => sendTo(deps, channel, path, body, request),
      save: (answer, facts) => save(deps, { action, prompt }, answer, facts),
    }
  }

/**
 * Throws if an account has too many unfinished free drawings: otherwise an account without balance could have any
 * number polled, ahead of other accounts' drawings.
 */
async function refuseManyFree({ db, clock }: TaskDeps, { account }: Caller): Promise<void> {
  const open = await countUnpaidDrawings(db, account.id, clock.now() - MAX_DRAWING_MS, MAX_FREE)
  if (open >= MAX_FREE)
    throw refuse('limited', 'relay.tooManyFreeDrawings', { count: MAX_FREE }, { code: 'too_many_requests' })
}

async function originOf(deps: TaskDeps, owner: RowOwner, { action, taskId }: DrawingRequest): Promise<DrawingRow> {
  const origin = await drawingStore(deps.db).ofOwner(owner, taskId)
  if (!origin) throw noDrawing(taskId)
  const mustBeDone = deps.settings.get('MjActionCheckSuccessEnabled') && action !== 'MODAL'
  if (mustBeDone && origin.status !== drawingStatus.success)
    throw refuse('invalid', 'relay.drawingNotDone', { id: taskId }, { code: 'task_status_not_success' })
  channelOf(deps, origin)
  return origin
}

export function channelOf({ registry }: Pick<TaskDeps, 'registry'>, { channel_id }: DrawingRow): ActiveChannel {
  const channel = registry.channel(channel_id)
  if (!channel) throw refuse('invalid', 'relay.taskChannelGone', {}, { code: 'get_channel_info_failed' })
  if (channel.status !== channelStatus.enabled)
    throw refuse('forbidden', 'relay.taskChannelDisabled', {}, { code: 'channel_disabled' })
  return channel
}

export const noDrawing = (id: string) => refuse('invalid', 'relay.noTask', { id }, { code: 'task_not_found' })

function sentBody({ settings }: TaskDeps, json: JsonObject): JsonObject {
  const { accountFilter, notifyHook, ...rest } = json
  const prompt = textIn(json.prompt)
  return {
    ...rest,
    ...(accountFilter !== undefined && settings.get('MjAccountFilterEnabled') ? { accountFilter } : {}),
    ...(notifyHook !== undefined && settings.get('MjNotifyEnabled') ? { notifyHook } : {}),
    ...(prompt !== undefined && settings.get('MjModeClearEnabled') ? { prompt: withoutModes(prompt) } : {}),
  }
}

const withoutModes = (prompt: string): string =>
  prompt.replace(/(?:^|(?<!\s)\s+)--(?:fast|relax|turbo)(?=\s|$)/g, '').trim()

/** Removes the mode from a path; like modes in prompts, it affects the vendor's price. */
const withoutMode = (path: string): string => path.slice(path.indexOf('/mj/'))

/** Whether Midjourney makes a video: it also repeats and varies a video as a video. */
function makesVideo({ action }: DrawingRequest, json: JsonObject, origin: DrawingRow | undefined): boolean {
  if (hasVideoFlag(textIn(json.prompt) ?? '')) return true
  const continuesVideo = origin !== undefined && (origin.action === 'VIDEO' || origin.video_urls !== '')
  return continuesVideo && action !== 'UPSCALE' && !FREE.has(action)
}

async function sendTo(
  deps: TaskDeps,
  channel: ActiveChannel,
  path: string,
  body: JsonObject,
  { taskId }: DrawingRequest,
): Promise<TaskAnswer> {
  const question = { channel, endpoint: 'drawing', method: 'POST', path, body, waitMs: SUBMIT_WAIT_MS } as const
  const json = await queryVendor(deps, question)
  const code = isObject(json) ? numberIn(json.code) : undefined
  if (!isObject(json) || code === undefined) throw new UpstreamError(502, 'the upstream sent an unknown response')
  const description = textIn(json.description) ?? ''
  const details = { body: { message: description, code } }
  if (code === codes.saturated) throw new UpstreamError(429, description, details)
  if (code === codes.noAccount) {
    // The proxy may only lack the account that the order names.
    const namesAccount = taskId !== '' || body.botType !== undefined || body.accountFilter !== undefined
    if (!namesAccount) await disable(deps, channel, description)
    return { json, isCharged: false, elsewhere: new UpstreamError(503, description || 'no account', details) }
  }
  const isTaken = code === codes.submitted || code === codes.queued
  return { json, isCharged: isTaken || (code === codes.exists && !isDone(json)) }
}

const isDone = (json: JsonObject): boolean => objectIn(json.properties).status === drawingStatus.success

/** A proxy without an account cannot draw until an operator fixes it. */
async function disable(deps: TaskDeps, channel: ActiveChannel, description: string): Promise<void> {
  if (!channel.autoBan || !deps.settings.get('AutomaticDisableChannelEnabled')) return
  await deps.health.disable(channel.id, description || 'no account is available').catch((error: unknown) => {
    deps.log.error('channel could not be disabled', { channelId: channel.id, error })
  })
}

type Drawing = Readonly<{ action: string; prompt: string }>

async function save(deps: TaskDeps, order: Drawing, { json }: TaskAnswer, facts: TaskFacts): Promise<JsonObject> {
  const row = rowOf(order, json, facts, deps.clock.now())
  const id = await idOfRow(deps, row, rowOwnerOf(facts.caller))
  if (id === undefined) return withoutChannel(json, facts.channel)
  const isTold = json.code === codes.queued || (json.code === codes.exists && !FREE.has(order.action))
  const clean = withoutChannel(json, facts.channel)
  return {
    ...clean,
    ...(isTold ? { code: codes.submitted } : {}),
    ...(isObject(clean.properties) ? { properties: propertiesTold(deps, { ...row, id }, clean.properties) } : {}),
  }
}

/**
 * Adds the row of an order, or updates the caller's row of a drawing that the vendor already has if nothing was
 * charged: otherwise an account without balance could add any number of rows. For the same reason, returns undefined
 * and adds no row for a refused order if too many of the account were refused in the last hour.
 */
async function idOfRow({ db, refusedRows }: TaskDeps, row: NewDrawing, owner: RowOwner): Promise<number | undefined> {
  const store = drawingStore(db)
  if (row.status === drawingStatus.failure && (await refusedRows.take(String(owner.userId))) > 0) return undefined
  const known = row.code === codes.exists && row.quota === 0 && (await store.ofOwner(owner, row.mj_id ?? ''))
  if (!known) return store.add(row)
  const { status = '', image_url = '', video_urls = '', start_time = 0, finish_time = 0 } = row
  if (row.progress === '100%')
    await store.change(known.id, { status, progress: '100%', image_url, video_urls, start_time, finish_time })
  return known.id
}

/** Returns the properties of a drawing for its caller, with only those URLs that may be public. */
function propertiesTold(
  { links }: TaskDeps,
  { id, mj_id = '', image_url = '', video_urls = '' }: Stored,
  clean: JsonObject,
) {
  const others = Object.entries(clean).filter(([name, value]) => !/url/i.test(name) && !isAddress(value))
  return {
    ...Object.fromEntries(others),
    ...('imageUrl' in clean ? { imageUrl: links.imageUrl({ id, mj_id, image_url }) } : {}),
    ...videosTold(links.videoUrls({ id, mj_id, video_urls })),
  }
}

type Stored = Pick<NewDrawing, 'mj_id' | 'image_url' | 'video_urls'> & Readonly<{ id: number }>

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\S*$/i.test(value)

/** Returns the row of a drawing: begun, already present, or refused, in which case it is final. */
function rowOf({ action, prompt }: Drawing, json: JsonObject, facts: TaskFacts, nowMs: number): NewDrawing {
  const { caller, context, channel, quota } = facts
  const code = numberIn(json.code) ?? 0
  const isTaken = code === codes.submitted || code === codes.exists || code === codes.queued
  const max = isTaken ? MAX_TEXT : MAX_REFUSED_TEXT
  const description = (textOf(json, 'description', channel) ?? '').slice(0, max)
  const row: NewDrawing = {
    code,
    user_id: caller.account.id,
    token_id: caller.tokenId,
    request_id: context.requestId,
    channel_id: channel.id,
    key_id: channel.keyId,
    quota,
    action,
    mj_id: idIn(withoutChannel({ result: json.result }, channel).result),
    prompt: prompt.slice(0, max),
    description,
    submit_time: nowMs,
    status: drawingStatus.notStarted,
    progress: '0%',
    properties: (isTaken && propertiesOf(json.properties, channel)) || '',
  }
  const ended = { start_time: nowMs, finish_time: nowMs, progress: '100%' }
  if (!isTaken) return { ...row, ...ended, status: drawingStatus.failure, fail_reason: description || `code ${code}` }
  if (code === codes.submitted && action === 'UPLOAD') return { ...row, ...ended, status: drawingStatus.success }
  if (code !== codes.exists) return row
  const there = objectIn(json.properties)
  const { status, imageUrl } = there
  const image_url = (textIn(imageUrl) ?? '').slice(0, MAX_ADDRESS)
  const known = {
    image_url,
    video_urls: videosIn(there) ?? '',
    status: textIn(status)?.slice(0, 20) || drawingStatus.notStarted,
  }
  return isDone(json) ? { ...row, ...known, ...ended } : { ...row, ...known }
}

const MAX_TEXT = 20_000
/** Max characters of a refused order's text: it is not charged, but its row is stored. */
const MAX_REFUSED_TEXT = 1000

function idIn(result: unknown): string {
  const parts = Array.isArray(result) ? result : [result]
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(',')
    .slice(0, MAX_ADDRESS)
}
