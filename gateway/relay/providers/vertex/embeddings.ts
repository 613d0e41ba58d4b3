import { objectIn, objectsIn, present } from '../../../base/json.ts'
import type { Bridge } from '../provider.ts'
import { dropOthers, embeddingList, inputTexts } from '../vectors.ts'

/** OpenAI's embeddings as Vertex predicts them (Vertex AI API reference, "Text embeddings API"). */
export const embeddings: Bridge = {
  request(json, _, drop) {
    dropOthers(json, ['input', 'dimensions', 'encoding_format'], drop)
    const outputDimensionality = json.dimensions ?? undefined
    const instances = inputTexts('Vertex AI', json).map((content) => ({ content }))
    return present({ instances, parameters: outputDimensionality === undefined ? undefined : { outputDimensionality } })
  },
  answer({ predictions }, asked) {
    const found = objectsIn(predictions).map(({ embeddings: made }) => objectIn(made))
    const counts = found.map(({ statistics }) => objectIn(statistics).token_count)
    const tokens = counts.every((count) => typeof count === 'number')
      ? counts.reduce((sum: number, count) => sum + Number(count), 0)
      : undefined
    const vectors = found.map(({ values }) => values)
    return embeddingList(vectors, tokens, asked)
  },
}
