import { UNKNOWN_TYPE } from '../../base/bytes/mime-type.ts'
import { refuse } from '../../base/errors.ts'
import { addressRule, isRefusedUrl } from '../../base/network/address-guard.ts'
import { drawingStore } from '../../store/requests/drawings.ts'
import type { DrawingRow } from '../../store/schema/schema-tasks.ts'
import { mediaUrl } from '../media/accepted-types.ts'
import { type Downloaded, download } from '../media/download.ts'
import { withAbortSignal } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'
import { videosOf } from './image-links.ts'
import type { TaskDeps } from './task-deps.ts'

/** Raster images and videos only: text formats such as SVG could act as a page of this gateway. */
const IMAGES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'video/mp4',
  'video/webm',
])
const WAIT_MS = 30_000

/**
 * Serves the image or a video of a drawing to holders of its link (docs/reference/tasks.md#images): from the vendor's
 * URL, within the limits for files named by URL, and only images and videos. Without a valid link, the response is the
 * same whether the image exists or not; the vendor's URL is never revealed.
 */
export async function passImage(deps: TaskDeps, context: RequestContext, id: string): Promise<void> {
  const { row, url, seconds } = await linkedRow(deps, context, id)
  const { mime, bytes } = await imageOf(deps, context, row, url).catch((cause: unknown) => {
    deps.log.warn('the image of a drawing could not be passed on', { requestId: context.requestId, error: cause })
    throw refuse('upstream', 'relay.imageFailed', {}, { code: 'image_failed', cause })
  })
  if (!IMAGES.has(mime)) throw refuse('upstream', 'relay.imageFailed', {}, { code: 'not_an_image' })
  const { response, head } = context
  if (response.destroyed) return
  // Reserved until the client has received the whole image.
  deps.bodies.shareFor(context.owner, row.user_id).grow(bytes.length)
  response.writeHead(200, {
    ...head,
    'content-type': mime,
    'content-length': bytes.length,
    'cache-control': row.progress === '100%' ? `private, max-age=${seconds}` : 'no-store',
  })
  response.end(context.method === 'HEAD' ? undefined : bytes)
}

async function linkedRow({ db, links, settings }: TaskDeps, context: RequestContext, id: string) {
  const query = new URLSearchParams(context.query)
  const proof = { until: query.get('until') ?? '', signature: query.get('sig') ?? '', video: query.get('video') ?? '' }
  const rows = settings.get('MjForwardUrlEnabled') && proof.signature ? await drawingStore(db).withImage(id) : []
  for (const row of rows) {
    const seconds = links.secondsLeft(row, proof)
    const url = proof.video === '' ? row.image_url : videosOf(row)[Number(proof.video)]
    if (seconds > 0 && url) return { row, url, seconds }
  }
  throw refuse('forbidden', 'relay.noImage', {}, { code: 'image_not_found' })
}

/**
 * Fetches through the channel's proxy if it has one; directly if the image is at the channel's own origin, which an
 * administrator has entered; else like a file that a caller names by URL. No key is sent.
 */
function imageOf(deps: TaskDeps, context: RequestContext, row: DrawingRow, address: string): Promise<Downloaded> {
  const channel = deps.registry.channel(row.channel_id)
  const url = mediaUrl(address)
  const proxy = channel?.setting.proxy ?? ''
  const isOwn = url !== null && url.origin === URL.parse(channel?.baseUrl ?? '')?.origin
  return withAbortSignal(context.cancellation, async (signal) => {
    const isOverChannel = url !== null && (isOwn || (proxy !== '' && !isRefusedUrl(url, PUBLIC_ONLY)))
    if (isOverChannel) return overChannel(deps, url, { proxy, accountId: row.user_id }, signal)
    const { mime, data } = await deps.mediaFor(row.user_id)(address, signal, isImage)
    return { mime, bytes: Buffer.from(data, 'base64') }
  })
}

const PUBLIC_ONLY = addressRule(() => false)

const isImage = (mime: string): boolean => IMAGES.has(mime) || mime === UNKNOWN_TYPE

/** Redirects are not followed, since they could lead anywhere. */
async function overChannel(
  deps: TaskDeps,
  url: URL,
  { proxy, accountId }: Readonly<{ proxy: string; accountId: number }>,
  signal: AbortSignal,
): Promise<Downloaded> {
  const dispatcher = await deps.pools.for(url.origin, proxy)
  const headers = { 'user-agent': deps.userAgent }
  const plan = { start: url, dispatcher, method: 'GET', headers, body: null, redirects: 0 } as const
  const either = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
  const leave = await deps.imageQueue.take(accountId, either)
  try {
    return await download(plan, { name: url.pathname, maxBytes: deps.maxImageBytes, onType: () => {}, signal: either })
  } finally {
    leave()
  }
}
