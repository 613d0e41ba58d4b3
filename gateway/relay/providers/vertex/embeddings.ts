import { type JsonObject, objectIn, objectsIn, parsed, present } from '../../../base/json/json.ts'
import { readJson } from '../../../base/json/json-read.ts'
import type { UpstreamReply } from '../../model/answer.ts'
import type { Bridge, DialTools } from '../provider.ts'
import { dropOthers, embeddingList, inputTexts, unsupportedField } from '../vectors.ts'
import { readReply, WholeReply } from '../whole-reply.ts'

/**
 * Whether a model embeds one content per call (`:embedContent`), like the Gemini embeddings since the second, for which
 * Google has removed `:predict`. The first one and the text embedding models use `:predict`
 * (docs/reference/channel-types.md#vertex-ai).
 */
export const embedsContent = (model: string): boolean => /^gemini-embedding-(?!001)/.test(model)

/**
 * Max texts of a request for `:embedContent`, which sends them one after the other: as many as `:predict` accepts at
 * once.
 */
const MAX_TEXTS = 250

/**
 * Converts OpenAI's embeddings to Vertex's prediction (Vertex AI API reference, "Text embeddings API"), or to the list
 * of requests that `embedded` sends ("Method: models.embedContent").
 */
export const embeddings: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, ['input', 'dimensions', 'encoding_format'], drop)
    const outputDimensionality = json.dimensions ?? undefined
    const texts = inputTexts('Vertex AI', json)
    if (embedsContent(model)) {
      if (texts.length > MAX_TEXTS) throw unsupportedField(`Vertex AI (${MAX_TEXTS})`, 'input')
      // Checked first, since the vendor would charge for all preceding texts before refusing this one.
      if (texts.some((text) => text === '')) throw unsupportedField('Vertex AI', 'input')
      return { requests: texts.map((text) => present({ content: { parts: [{ text }] }, outputDimensionality })) }
    }
    const instances = texts.map((content) => ({ content }))
    return present({ instances, parameters: outputDimensionality === undefined ? undefined : { outputDimensionality } })
  },
  answer({ predictions, embedded }, original) {
    if (Array.isArray(embedded)) {
      const responses = objectsIn(embedded)
      const counts = responses.map(({ usageMetadata }) => objectIn(usageMetadata).promptTokenCount)
      return embeddingList(
        responses.map(({ embedding }) => objectIn(embedding).values),
        sumOf(counts),
        original,
      )
    }
    const found = objectsIn(predictions).map(({ embeddings: responses }) => objectIn(responses))
    const counts = found.map(({ statistics }) => objectIn(statistics).token_count)
    const vectors = found.map(({ values }) => values)
    return embeddingList(vectors, sumOf(counts), original)
  },
}

const sumOf = (counts: readonly unknown[]): number | undefined =>
  counts.every((count) => typeof count === 'number')
    ? counts.reduce((sum: number, count) => sum + Number(count), 0)
    : undefined

const UNLIMITED = { values: Infinity, names: Infinity, depth: Infinity }

/** Max bytes of one response (more than a vector requires) and of all responses of a call. */
const MAX_BYTES = 1024 * 1024
const MAX_ALL_BYTES = 32 * MAX_BYTES

/**
 * Sends the requests that `embeddings` wrote, one after the other, and merges their responses; members that the channel
 * adds are added to each. If one is refused, its reply is returned for the whole call.
 */
export async function embedded(
  bytes: Buffer,
  send: (bytes: Buffer) => Promise<UpstreamReply>,
  { cancellation }: Pick<DialTools, 'cancellation'>,
): Promise<UpstreamReply> {
  const { requests, ...added } = objectIn((await readJson(bytes, UNLIMITED)).json)
  const found: JsonObject[] = []
  let left = MAX_ALL_BYTES
  for (const request of objectsIn(requests)) {
    if (cancellation.ended) throw new Error('the call has ended')
    const reply = await send(Buffer.from(JSON.stringify({ ...request, ...added })))
    if (reply.status < 200 || reply.status > 299) return reply
    const read = await readReply(reply, Math.min(MAX_BYTES, left))
    left -= read.length
    const answer = objectIn(parsed(read.toString()))
    if (!Array.isArray(objectIn(answer.embedding).values))
      return new WholeReply(502, { message: 'the provider returned no embedding', ...answer })
    found.push(answer)
  }
  return new WholeReply(200, { embedded: found })
}
