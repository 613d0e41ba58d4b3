import { GatewayError, refuse } from '../../base/errors.ts'
import { textIn } from '../../base/json/json.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { RowOwner } from '../../store/row-owner.ts'
import { admitCaller } from '../admission/admit.ts'
import { sendError, sendJson } from '../auxiliary/reply.ts'
import { readBody } from '../intake/body.ts'
import { jsonBody } from '../intake/parse.ts'
import { type Requester, rowOwnerOf } from '../model/caller.ts'
import type { RequestContext } from '../model/request-context.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { sendDrawing, sendDrawings, sendSeed } from './drawings/answer-drawing.ts'
import { readDrawing } from './drawings/drawing-order.ts'
import { type DrawingSubmission, drawingSubmissionAt, isDrawingPath } from './drawings/drawing-paths.ts'
import { passImage } from './image.ts'
import { sendAllMusic, sendMusic } from './music/answer-music.ts'
import { readMusic } from './music/music-order.ts'
import { submitTask } from './submit.ts'
import type { TaskDeps } from './task-deps.ts'

type Identify = () => MaybePromise<Requester>

const SUNO_PATH = /^\/suno\/(submit|fetch)(?:\/([^/]+))?$/

export const sunoPaths: readonly (readonly ['GET' | 'POST', string])[] = [
  ['POST', '/suno/submit/{action}'],
  ['GET', '/suno/fetch/{id}'],
  ['POST', '/suno/fetch'],
]

/** Returns the form of errors on a path that is not a dialect's; undefined for other paths. */
export function taskShapeOf(path: string): 'drawing' | 'task' | undefined {
  if (path.startsWith('/suno/')) return 'task'
  return isDrawingPath(path) ? 'drawing' : undefined
}

/** Serves a path of Midjourney or Suno (docs/reference/endpoints.md#drawings-and-music). Never throws. */
export async function answerTask(deps: TaskDeps, context: RequestContext, identify: Identify): Promise<void> {
  try {
    await (context.errorsAs === 'task' ? answerMusic : answerDrawing)(deps, context, identify)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof UpstreamError))
      deps.log.error('task route failed', { requestId: context.requestId, error })
    sendError(context, error)
  }
}

function answerDrawing(deps: TaskDeps, context: RequestContext, identify: Identify): Promise<void> | void {
  const drawingSubmission = drawingSubmissionAt(context.method, context.path)
  if (!drawingSubmission) throw notThere(context)
  if (drawingSubmission.kind === 'submit')
    return submitTask(deps, context, identify, readDrawing(deps, drawingSubmission))
  if (drawingSubmission.kind === 'image') return passImage(deps, context, drawingSubmission.id)
  if (drawingSubmission.kind === 'notify') return takeNotice(deps, context)
  return respond(deps, context, identify, drawingSubmission)
}

async function respond(
  deps: TaskDeps,
  context: RequestContext,
  identify: Identify,
  drawingSubmission: Extract<DrawingSubmission, { kind: 'fetch' | 'seed' | 'list' }>,
): Promise<void> {
  const owner = await ownerOf(deps, context, identify)
  if (drawingSubmission.kind === 'list') return sendDrawings(deps, context, owner)
  return drawingSubmission.kind === 'fetch'
    ? sendDrawing(deps, context, owner, drawingSubmission.id)
    : sendSeed(deps, context, owner, drawingSubmission)
}

async function answerMusic(deps: TaskDeps, context: RequestContext, identify: Identify): Promise<void> {
  const { method, path } = context
  const [, what, name] = SUNO_PATH.exec(path) ?? []
  if (what === 'submit' && name && method === 'POST') return submitTask(deps, context, identify, readMusic(deps, name))
  if (what === 'fetch' && name && method === 'GET')
    return sendMusic(deps, context, await ownerOf(deps, context, identify), name)
  if (what === 'fetch' && !name && method === 'POST')
    return sendAllMusic(deps, context, await ownerOf(deps, context, identify))
  throw notThere(context)
}

async function ownerOf(deps: TaskDeps, context: RequestContext, identify: Identify): Promise<RowOwner> {
  const { caller, suffix } = await identify()
  admitCaller(deps, caller, context, suffix)
  return rowOwnerOf(caller)
}

/**
 * Handles a notice about a drawing. Its content is not trusted: the vendor is queried, and the response is always the
 * same (docs/reference/tasks.md#notices).
 */
async function takeNotice(deps: TaskDeps, context: RequestContext): Promise<void> {
  if (!deps.settings.get('MjNotifyEnabled'))
    throw refuse('forbidden', 'relay.noNotices', {}, { code: 'notify_disabled' })
  const memory = deps.bodies.shareFor(context.owner, 0)
  const { json } = await jsonBody(await readBody(context.request, memory, MAX_NOTICE_BYTES))
  await deps.polls.drawing((textIn(json.id) ?? '').slice(0, 200))
  sendJson(context, 200, { code: 1, description: 'ok' })
}

/** Max bytes of a notice: proxies send the whole drawing, with its prompts, buttons and URLs. */
const MAX_NOTICE_BYTES = 64 * 1024

const notThere = ({ method, path }: RequestContext) => refuse('missing', 'relay.notFound', { method, path })
