import { z } from 'zod'
import { rule } from '../vendors/vendor.ts'
import { faultsOfEvents, isStream, type ReadAnswer } from './dialect.ts'

const part = z.strictObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  thoughtSignature: z.base64().optional(),
  functionCall: z
    .strictObject({ id: z.string().optional(), name: z.string(), args: z.record(z.string(), z.unknown()).optional() })
    .optional(),
})
const response = z.strictObject({
  candidates: z
    .array(
      z.strictObject({
        content: z.strictObject({ role: z.literal('model'), parts: z.array(part) }).optional(),
        finishReason: z.string().optional(),
        finishMessage: z.string().optional(),
        index: z.number().int().optional(),
        safetyRatings: z.unknown().optional(),
      }),
    )
    .optional(),
  usageMetadata: z
    .strictObject({
      promptTokenCount: z.number().int().optional(),
      candidatesTokenCount: z.number().int().optional(),
      totalTokenCount: z.number().int().optional(),
      cachedContentTokenCount: z.number().int().optional(),
      thoughtsTokenCount: z.number().int().optional(),
      toolUsePromptTokenCount: z.number().int().optional(),
      promptTokensDetails: z.unknown().optional(),
      cacheTokensDetails: z.unknown().optional(),
      candidatesTokensDetails: z.unknown().optional(),
    })
    .optional(),
  modelVersion: z.string().optional(),
  responseId: z.string().optional(),
  createTime: z.string().optional(),
})
type Response = z.infer<typeof response>

/** Reads one or many of Gemini's GenerateContentResponse: only the last has a finish reason. */
export const readGemini: ReadAnswer = (answer) => {
  const events: Response[] = isStream(answer) ? answer.events : [answer.json]
  const found = faultsOfEvents(response, events)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const reasons = events.map(({ candidates }) => candidates?.[0]?.finishReason)
  const parts = events.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  return {
    faults: [
      ...rule(reasons.filter((reason) => reason !== undefined).length === 1, `it ends once, not with ${reasons}`),
      ...rule(events.at(-1)?.usageMetadata !== undefined, 'the last response has the usage'),
    ],
    text: parts.map((one) => (one.thought ? '' : (one.text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall: call }) =>
      call ? [{ name: call.name, json: JSON.stringify(call.args ?? {}) }] : [],
    ),
  }
}
