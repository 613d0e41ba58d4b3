import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../base/ciphers.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DrawingRow } from '../../store/schema-tasks.ts'

/** Which image a link is for. */
type LinkedImage = Pick<DrawingRow, 'id' | 'mj_id' | 'image_url'>

/** What a link says beside the name of its image: when it ends, in unix seconds, and its signature. */
export type LinkProof = Readonly<{ until: string; signature: string }>

/** Links to images of drawings over this gateway, which nobody can make who was not given them. */
export type ImageLinks = Readonly<{
  /** The address of an image as it may be told: a signed link where images are forwarded, else the vendor's own. */
  imageUrl(image: LinkedImage): string
  /** For how many seconds more a link leads to this image; 0 where it has ended, and where it was not made here. */
  secondsLeft(image: LinkedImage, proof: LinkProof): number
}>

const HOUR_S = 3600

/**
 * Signs with the data key of the installation. A link is good for an hour at least and two at most, and is one and the same
 * within an hour, so that a page that is read again shows the picture it has.
 */
export function createImageLinks(
  vault: Pick<Vault, 'sign'>,
  settings: Pick<Settings, 'get' | 'serverAddress'>,
  clock: Clock,
): ImageLinks {
  const signatureOf = ({ id, mj_id }: LinkedImage, until: string) => vault.sign(`${id} ${mj_id} ${until}`, 'drawing')
  return {
    imageUrl(image) {
      if (image.image_url === '' || !settings.get('MjForwardUrlEnabled')) return image.image_url
      const address = settings.serverAddress().replace(/\/+$/, '')
      const until = String((Math.floor(unixSeconds(clock) / HOUR_S) + 2) * HOUR_S)
      return `${address}/mj/image/${encodeURIComponent(image.mj_id)}?until=${until}&sig=${signatureOf(image, until)}`
    },
    secondsLeft(image, { until, signature }) {
      const [own, sent] = [Buffer.from(signatureOf(image, until)), Buffer.from(signature)]
      const isOwn = own.length === sent.length && timingSafeEqual(own, sent)
      return isOwn ? Math.max(0, Number(until) - unixSeconds(clock)) : 0
    },
  }
}
