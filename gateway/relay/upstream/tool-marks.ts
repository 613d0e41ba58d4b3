import { yieldToOthers } from '../../base/fair-yield.ts'
import type { JsonObject } from '../../base/json/json.ts'

/** Bytes searched before other requests run, and the longest mark, which may lie across two pieces. */
const PIECE = 1024 * 1024
const LONGEST = 64 * 1024

/**
 * Items of OpenAI's own tools, and Gemini's searches; a quote within a text is escaped, so no text contains a match.
 */
const ITEMS =
  /"type"\s*:\s*"(web_search_call|file_search_call|code_interpreter_call|image_generation_call)"|"webSearchQueries"\s*:\s*\[\s*((?:"(?:[^"\\]|\\.)*"[\s,]*)*)/g
const QUERY = /"(?:[^"\\]|\\.)*"/g

/**
 * The members with the tools that a vendor has used, found in the text of a response too long to be parsed: the items of
 * Responses without their contents, the searches of Gemini.
 */
export async function toolMarksIn(bytes: Buffer): Promise<JsonObject> {
  const output: JsonObject[] = []
  const webSearchQueries: string[] = []
  for (let at = 0; at < bytes.length; at += PIECE) {
    const text = bytes.toString('latin1', at, Math.min(at + PIECE + LONGEST, bytes.length))
    for (const { 1: type, 2: queries = '', index } of text.matchAll(ITEMS)) {
      if (index >= PIECE) break
      if (type === undefined) webSearchQueries.push(...(queries.match(QUERY) ?? []))
      else output.push({ type, ...(type === 'image_generation_call' ? { result: '' } : {}) })
    }
    await yieldToOthers()
  }
  return {
    ...(output.length > 0 ? { output } : {}),
    ...(webSearchQueries.length > 0 ? { candidates: [{ groundingMetadata: { webSearchQueries } }] } : {}),
  }
}
