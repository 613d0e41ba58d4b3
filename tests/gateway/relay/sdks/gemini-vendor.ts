import { z } from 'zod'
import { GEMINI_SEAL, geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { answerTo, type Heard, must, pictured } from './conversation.ts'

/** The subset of OpenAPI schemas that Gemini accepts. */
const schema: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    type: z.enum(['object', 'string', 'number', 'integer', 'boolean', 'array', 'null'].flatMap(bothCases)).optional(),
    format: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.string()).optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    propertyOrdering: z.array(z.string()).optional(),
    anyOf: z.array(schema).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
)

const thoughtSignature = z.base64().optional()
const inlineData = z.strictObject({ mimeType: z.string(), data: z.base64() })
const args = z.record(z.string(), z.unknown())
const part = z.union([
  z.strictObject({ text: z.string(), thought: z.boolean().optional(), thoughtSignature }),
  z.strictObject({ inlineData }),
  z.strictObject({ fileData: z.strictObject({ mimeType: z.string().optional(), fileUri: z.string() }) }),
  z.strictObject({
    functionCall: z.strictObject({ id: z.string().optional(), name: z.string().min(1), args: args.optional() }),
    thoughtSignature: z.union([z.base64(), z.literal('skip_thought_signature_validator')]).optional(),
  }),
  z.strictObject({
    functionResponse: z.strictObject({
      id: z.string().optional(),
      name: z.string().min(1),
      response: args,
      parts: z.array(z.strictObject({ inlineData })).optional(),
    }),
  }),
])
type Part = z.infer<typeof part>

const content = z.strictObject({ role: z.enum(['user', 'model']), parts: z.array(part).min(1) })
const request = z.strictObject({
  contents: z.array(content).min(1),
  systemInstruction: z
    .strictObject({ role: z.string().optional(), parts: z.array(z.strictObject({ text: z.string() })).min(1) })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z
          .array(
            z.strictObject({
              name: z.string().regex(/^[a-zA-Z_][\w.-]{0,63}$/),
              description: z.string().optional(),
              parameters: schema.optional(),
              parametersJsonSchema: z.looseObject({}).optional(),
            }),
          )
          .min(1),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']),
        allowedFunctionNames: z.array(z.string()).optional(),
      }),
    })
    .optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.number().int().min(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().optional(),
      topK: z.number().optional(),
      candidateCount: z.number().optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
      responseSchema: schema.optional(),
      responseJsonSchema: z.looseObject({}).optional(),
      thinkingConfig: z
        .strictObject({
          includeThoughts: z.boolean().optional(),
          thinkingBudget: z.number().int().min(-1).max(32_768).optional(),
          thinkingLevel: z.enum(['low', 'high', 'medium', 'minimal'].flatMap(bothCases)).optional(),
        })
        .optional(),
    })
    .optional(),
  safetySettings: z.array(z.strictObject({ category: z.string(), threshold: z.string() })).optional(),
})
type Request = z.infer<typeof request>

/** A strict vendor of the Gemini API: it accepts only what the API's reference lists. */
export function geminiVendor({ headers, json, path }: Recorded): Script {
  must(headers['x-goog-api-key'] === 'gemini-key' && !path.includes('key='), 'the key must be in x-goog-api-key')
  const [, model = '', action = ''] = /^\/v1beta\/models\/([\w.-]+):(\w+(?:\?alt=sse)?)$/.exec(path) ?? []
  must(action === 'generateContent' || action === 'streamGenerateContent?alt=sse', `no such path ${path}`)
  const asked = request.parse(json)
  checkTurns(asked, model)
  const { thinkingConfig: thinking, ...generation } = asked.generationConfig ?? {}
  must(!(thinking?.thinkingBudget !== undefined && thinking.thinkingLevel), 'a budget or a level')
  must(!(generation.responseSchema && generation.responseJsonSchema), 'one schema is enough')
  must(!generation.responseSchema || generation.responseMimeType === 'application/json', 'a schema needs JSON')
  const isEither = generation.responseMimeType !== 'application/json' || asked.tools === undefined
  must(isEither || model.startsWith('gemini-3'), 'Function calling with a response mime type is unsupported')
  const said = answerTo(heardIn(asked))
  return action === 'generateContent' ? { body: geminiAnswer(said) } : { events: geminiStream(said) }
}

/**
 * Calls must follow a user turn, and the next turn must have their results, with the same names in order. Models of the
 * third generation require a signature on the first call of every step since the user's last message.
 */
function checkTurns({ contents }: Request, model: string): void {
  const asked = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts.some((one) => 'functionResponse' in one),
  )
  for (const [index, { role, parts }] of contents.entries()) {
    const before = contents[index - 1]
    must(before === undefined || before.role !== role, 'turns of one side are one')
    const calls = (before?.parts ?? []).flatMap((one) => ('functionCall' in one ? [one.functionCall.name] : []))
    const results = parts.flatMap((one) => ('functionResponse' in one ? [one.functionResponse.name] : []))
    if (role === 'user') must(String(calls) === String(results), `calls of ${calls} have the results of ${results}`)
    const first = parts.find((one) => 'functionCall' in one)
    if (role !== 'model' || !first) continue
    must(before !== undefined, 'calls come right after a turn of the user')
    if (index > asked && model.startsWith('gemini-3'))
      must(isSealed(first), 'the first call of a step lacks its thought signature')
  }
}

const isSealed = (one: Part): boolean =>
  'thoughtSignature' in one &&
  (one.thoughtSignature === GEMINI_SEAL || one.thoughtSignature === 'skip_thought_signature_validator')

function heardIn({ contents, tools = [], toolConfig, generationConfig: generation }: Request): Heard {
  const parts = contents.at(-1)?.parts ?? []
  const picture = parts.flatMap((one) => {
    if ('inlineData' in one) return [pictured(one.inlineData.mimeType, one.inlineData.data)]
    return 'fileData' in one ? [one.fileData.fileUri] : []
  })
  const results = parts.flatMap((one) => ('functionResponse' in one ? [one.functionResponse.response] : []))
  return {
    stream: false,
    text: parts.map((one) => ('text' in one ? one.text : '')).join(''),
    results: results.map(({ content, output, result }) => String(content ?? output ?? result)),
    tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
    mustCall: toolConfig?.functionCallingConfig.mode === 'ANY',
    picture: picture[0],
    wantsJson: generation?.responseMimeType === 'application/json',
    thinks: generation?.thinkingConfig?.includeThoughts === true,
  }
}

function bothCases(word: string): string[] {
  return [word, word.toUpperCase()]
}
