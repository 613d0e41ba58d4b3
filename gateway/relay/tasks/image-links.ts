import { timingSafeEqual } from 'node:crypto'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { parsed } from '../../base/json/json.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DrawingRow } from '../../store/schema/schema-tasks.ts'

type LinkedImage = Pick<DrawingRow, 'id' | 'mj_id' | 'image_url'>
type LinkedVideos = Pick<DrawingRow, 'id' | 'mj_id' | 'video_urls'>

/** The parts of a link other than the name of its drawing. */
type LinkProof = Readonly<{
  /** Expiry, in Unix seconds. */
  until: string
  signature: string
  /** The index of a video, from 0; empty for the image. */
  video: string
}>

/** Unforgeable links to images and videos of drawings through this gateway. */
export type ImageLinks = Readonly<{
  /** Returns the public URL of an image: a signed link if images are forwarded, else the vendor's own. */
  imageUrl(image: LinkedImage): string
  videoUrls(videos: LinkedVideos): string[]
  /** Returns the seconds until a link to this image expires; 0 if it has expired or was not created here. */
  secondsLeft(image: Pick<LinkedImage, 'id' | 'mj_id'>, proof: LinkProof): number
}>

const HOUR_S = 3600

/**
 * Signs with the data key of the installation. A link is valid for one to two hours, and is the same within an hour, so
 * that a reloaded page uses its cached image.
 */
export function createImageLinks(
  vault: Pick<Vault, 'sign'>,
  settings: Pick<Settings, 'get' | 'linkAddress'>,
  clock: Clock,
): ImageLinks {
  type Linked = Pick<DrawingRow, 'id' | 'mj_id'>
  const signatureOf = ({ id, mj_id }: Linked, until: string, video: string) =>
    vault.sign([id, mj_id, until, ...(video === '' ? [] : [video])].join(' '), 'drawing')
  const isForwarded = () => settings.get('MjForwardUrlEnabled')
  const linkTo = (linked: Linked, video: string) => {
    const address = settings.linkAddress().replace(/(?<!\/)\/+$/, '')
    const until = String((Math.floor(unixSeconds(clock) / HOUR_S) + 2) * HOUR_S)
    const which = video === '' ? '' : `video=${video}&`
    const proof = `${which}until=${until}&sig=${signatureOf(linked, until, video)}`
    return `${address}/mj/image/${encodeURIComponent(linked.mj_id)}?${proof}`
  }
  return {
    imageUrl: (image) => (image.image_url === '' || !isForwarded() ? image.image_url : linkTo(image, '')),
    videoUrls: (videos) => videosOf(videos).map((url, index) => (isForwarded() ? linkTo(videos, String(index)) : url)),
    secondsLeft(image, { until, signature, video }) {
      const [own, sent] = [Buffer.from(signatureOf(image, until, video)), Buffer.from(signature)]
      const isOwn = own.length === sent.length && timingSafeEqual(own, sent)
      return isOwn ? Math.max(0, Number(until) - unixSeconds(clock)) : 0
    },
  }
}

export const videosOf = ({ video_urls }: Pick<DrawingRow, 'video_urls'>): string[] => {
  const urls = parsed(video_urls)
  return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : []
}
