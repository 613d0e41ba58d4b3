import { isObject, type JsonObject, objectIn, textIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'

/** Returns an edit that rewrites each message; none if no message changes. */
export function messagesEdit(
  { messages }: Json,
  change: (message: JsonObject) => JsonObject,
): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(messages)) return []
  const changed = messages.map((message: unknown) => (isObject(message) ? change(message) : message))
  return changed.some((message, index) => message !== messages[index]) ? [['messages', changed]] : []
}

/**
 * Replaces the image URLs of a message; returns the same object if it has none. `change` returns the new `image_url`.
 */
export function withImages(message: JsonObject, change: (url: string, image: unknown) => unknown): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.some(isImage)) return message
  const parts = content.map((part: unknown) => {
    if (!isImage(part)) return part
    const url = textIn(part.image_url) ?? textIn(objectIn(part.image_url).url)
    return url === undefined ? part : { ...part, image_url: change(url, part.image_url) }
  })
  return { ...message, content: parts }
}

/** Removes members of a message; returns the same object if it has none of them. */
export function without(message: JsonObject, names: readonly string[]): JsonObject {
  if (!names.some((name) => name in message)) return message
  return Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)))
}

export const isImage = (part: unknown): part is JsonObject => isObject(part) && part.type === 'image_url'
