import { refuse } from '../../base/errors.ts'
import { type JsonObject, objectIn } from '../../base/json/json.ts'
import { JsonTooLarge, MAX_TEXT_MIB, readJson } from '../../base/json/json-read.ts'
import { answerBounds, LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'

/** Parses JSON that the gateway wrote for a vendor, in steps. Throws `relay.tooMuchText` beyond the bounds. */
export async function jsonIn(bytes: Buffer): Promise<unknown> {
  try {
    return (await readJson(bytes, answerBounds)).json
  } catch (cause) {
    if (!(cause instanceof JsonTooLarge)) throw cause
    const code = 'read_request_body_failed'
    throw refuse('tooLarge', 'relay.tooMuchText', { count: MAX_TEXT_MIB }, { code })
  }
}

export const bodyIn = async (bytes: Buffer): Promise<JsonObject> => objectIn(await jsonIn(bytes))

/** Writes a body with small changes, in steps if the original was large. */
export const bodyOf = (body: JsonObject, original: Buffer): Promise<Buffer> => writeJson(body, original.length > LARGE)
