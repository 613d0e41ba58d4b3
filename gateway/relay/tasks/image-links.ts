import { timingSafeEqual } from 'node:crypto'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { parsed } from '../../base/json/json.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DrawingRow } from '../../store/schema/schema-tasks.ts'

/** Which image a link is for. */
type LinkedImage = Pick<DrawingRow, 'id' | 'mj_id' | 'image_url'>
type LinkedVideos = Pick<DrawingRow, 'id' | 'mj_id' | 'video_urls'>

/** What a link says beside the name of its drawing. */
type LinkProof = Readonly<{
  /** When it ends, in unix seconds. */
  until: string
  signature: string
  /** The place of a video, from 0; empty for the image. */
  video: string
}>

/** Links to images of drawings over this gateway, which nobody can make who was not given them. */
export type ImageLinks = Readonly<{
  /** The address of an image as it may be told: a signed link where images are forwarded, else the vendor's own. */
  imageUrl(image: LinkedImage): string
  /** The addresses of its videos, in the same way. */
  videoUrls(videos: LinkedVideos): string[]
  /** For how many seconds more a link leads to this image; 0 where it has ended, and where it was not made here. */
  secondsLeft(image: Pick<LinkedImage, 'id' | 'mj_id'>, proof: LinkProof): number
}>

const HOUR_S = 3600

/**
 * Signs with the data key of the installation. A link is good for an hour at least and two at most, and is one and the same
 * within an hour, so that a page that is read again shows the picture it has.
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
    videoUrls: (videos) => videosOf(videos).map((url, place) => (isForwarded() ? linkTo(videos, String(place)) : url)),
    secondsLeft(image, { until, signature, video }) {
      const [own, sent] = [Buffer.from(signatureOf(image, until, video)), Buffer.from(signature)]
      const isOwn = own.length === sent.length && timingSafeEqual(own, sent)
      return isOwn ? Math.max(0, Number(until) - unixSeconds(clock)) : 0
    },
  }
}

/** Where the vendor says that the videos of a drawing are. */
export const videosOf = ({ video_urls }: Pick<DrawingRow, 'video_urls'>): string[] => {
  const urls = parsed(video_urls)
  return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : []
}
