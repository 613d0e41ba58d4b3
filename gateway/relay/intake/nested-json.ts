import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject } from '../../base/json/json.ts'
import { LARGE, requestBounds, scanInSlices, scanNow } from '../../base/json/json-scan.ts'
import type { Conversation, Part } from '../formats/conversation.ts'
import { tooMany } from './parse.ts'

/** Bytes; shorter requests cannot hold enough to matter. */
const UNCOUNTED = 128 * 1024
/** Max members in all the texts together: their names may all differ. */
const MAX_KEYS = 5 * requestBounds.names

/**
 * Checks the JSON inside texts that some dialects require as objects: tool arguments and tool results. Together they
 * are limited like a body (base/json/json-scan.ts).
 */
export async function checkNestedJson({ turns }: Conversation, bodyBytes: number): Promise<void> {
  if (bodyBytes < UNCOUNTED) return
  let values = 0
  let keys = 0
  let walked = 0
  for (const { parts } of turns)
    for (const text of parts.flatMap(textsOf)) {
      const bytes = Buffer.from(text)
      const scan = bytes.length > LARGE ? await scanInSlices(bytes, requestBounds) : scanNow(bytes, requestBounds)
      values += scan.values
      keys += scan.keys
      if (scan.excess !== null) throw tooMany(scan.excess)
      if (values > requestBounds.values) throw tooMany('values')
      if (keys > MAX_KEYS) throw tooMany('names')
      walked += text.length
      if (walked < CHARS_PER_SLICE) continue
      walked = 0
      await yieldToOthers()
    }
}

/** Characters scanned before yielding to the event loop. */
const CHARS_PER_SLICE = 4 * 1024 * 1024

function textsOf(part: Part): readonly string[] {
  if (part.type === 'tool-call') return [part.arguments]
  if (part.type !== 'tool-result') return []
  return part.content.flatMap((inner) => (isObject(inner) && inner.type === 'text' ? [inner.text] : []))
}
