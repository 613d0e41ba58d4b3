import type { MediaPart } from '../formats/conversation.ts'
import { imageSizeOf } from './image-size.ts'
import { imageTokens } from './images.ts'

/** As much of an image's base64 as its header may take. */
const HEADER = 88 * 1024

/** Tokens of an image inside a request; one that is named by URL is not fetched for it (spec/relay.md §6.7). */
export function imageSize(model: string, { source, detail }: MediaPart): number {
  const size = source.type === 'data' ? imageSizeOf(Buffer.from(source.data.slice(0, HEADER), 'base64')) : undefined
  return imageTokens(model, detail, size)
}
