import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../base/ciphers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DrawingRow } from '../../store/schema-tasks.ts'

/** Which image a link is for. */
type LinkedImage = Pick<DrawingRow, 'id' | 'mj_id' | 'image_url'>

/** Links to images of drawings over this gateway, which nobody can make who was not given them. */
export type ImageLinks = Readonly<{
  /** The address of an image as it may be told: a signed link where images are forwarded, else the vendor's own. */
  imageUrl(image: LinkedImage): string
  /** Whether a signature is that of this image. */
  isSigned(image: LinkedImage, signature: string): boolean
}>

/** Signs with the data key of the installation; a link is good for as long as that and the drawing are there. */
export function createImageLinks(
  vault: Pick<Vault, 'sign'>,
  settings: Pick<Settings, 'get' | 'serverAddress'>,
): ImageLinks {
  const signatureOf = ({ id, mj_id }: LinkedImage) => vault.sign(`${id} ${mj_id}`, 'drawing')
  return {
    imageUrl(image) {
      if (image.image_url === '' || !settings.get('MjForwardUrlEnabled')) return image.image_url
      const address = settings.serverAddress().replace(/\/+$/, '')
      return `${address}/mj/image/${encodeURIComponent(image.mj_id)}?sig=${signatureOf(image)}`
    },
    isSigned(image, signature) {
      const [own, sent] = [Buffer.from(signatureOf(image)), Buffer.from(signature)]
      return own.length === sent.length && timingSafeEqual(own, sent)
    },
  }
}
