import { refuse } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { isObject, objectIn } from '../../base/json/json.ts'
import { LARGE, requestBounds, scanInSlices, scanNow } from '../../base/json/json-scan.ts'
import type { Conversation, Part } from '../formats/conversation.ts'
import { tooMany } from './parse.ts'

/** Min bytes of a request that is counted; shorter ones cannot hold enough to matter. */
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

/**
 * Max fields and list items of the schemas of a request that are written in another dialect, which takes 3 µs a field,
 * and may copy a list once for each of the schemas around it.
 */
const MAX_SCHEMA_FIELDS = 40_000

/** Throws if the schemas of a request's tools and of its output have too many fields and list items together. */
export function checkSchemas({ tools, output }: Conversation): void {
  const schemas = tools.map((tool) => (tool.type === 'function' ? tool.parameters : undefined))
  const rest: unknown[] = output?.type === 'schema' ? [...schemas, output.schema] : schemas
  let fields = 0
  while (rest.length > 0) {
    const next = rest.pop()
    const inner = Array.isArray(next) ? next : Object.values(objectIn(next))
    fields += inner.length
    if (fields > MAX_SCHEMA_FIELDS)
      throw refuse('tooLarge', 'relay.tooManySchemaFields', { count: MAX_SCHEMA_FIELDS }, REFUSED)
    for (const value of inner) if (typeof value === 'object' && value !== null) rest.push(value)
  }
}

const REFUSED = { code: 'read_request_body_failed' }

/** Characters scanned before yielding to the event loop. */
const CHARS_PER_SLICE = 4 * 1024 * 1024

function textsOf(part: Part): readonly string[] {
  if (part.type === 'tool-call') return [part.arguments]
  if (part.type !== 'tool-result') return []
  return part.content.flatMap((inner) => (isObject(inner) && inner.type === 'text' ? [inner.text] : []))
}
