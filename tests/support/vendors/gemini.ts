import { z } from 'zod'
import { GEMINI_SEAL, geminiAnswer, geminiError, geminiStream } from '../gemini.ts'
import type { Recorded } from '../upstream.ts'
import { faultsIn, rule, type Vendor } from './vendor.ts'

const kinds = ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null']
const bothCases = (words: readonly string[]): string[] => words.flatMap((word) => [word, word.toUpperCase()])

/** The part of OpenAPI's schemas that Gemini accepts in `parameters` and `responseSchema`. */
const schema: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z
    .strictObject({
      type: z.enum(bothCases(kinds)).optional(),
      format: z.string().optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      nullable: z.boolean().optional(),
      default: z.unknown().optional(),
      example: z.unknown().optional(),
      enum: z.array(z.string()).min(1).optional(),
      items: schema.optional(),
      minItems: z.union([z.string(), z.number()]).optional(),
      maxItems: z.union([z.string(), z.number()]).optional(),
      properties: z.record(z.string(), schema).optional(),
      required: z.array(z.string()).optional(),
      propertyOrdering: z.array(z.string()).optional(),
      minProperties: z.union([z.string(), z.number()]).optional(),
      maxProperties: z.union([z.string(), z.number()]).optional(),
      minLength: z.union([z.string(), z.number()]).optional(),
      maxLength: z.union([z.string(), z.number()]).optional(),
      pattern: z.string().optional(),
      anyOf: z.array(schema).min(1).optional(),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
    })
    .superRefine((own, context) => {
      const type = String(own.type ?? '').toLowerCase()
      const required = (own.required ?? []) as string[] // checked above
      const names = Object.keys((own.properties ?? {}) as object)
      const must = (holds: boolean, message: string) => holds || context.addIssue({ code: 'custom', message })
      must(type !== '' || own.anyOf !== undefined, 'type must be specified')
      must(type !== 'array' || own.items !== undefined, 'items: missing field')
      must(own.enum === undefined || type === 'string', 'enum: only allowed for STRING type')
      must(
        required.every((name) => names.includes(name)),
        'required: property is not defined',
      )
      must(
        type !== 'string' || own.format === undefined || /^(enum|date-time)$/.test(String(own.format)),
        'format: only enum and date-time are supported for STRING type',
      )
    }),
)

const thoughtSignature = z.union([z.base64(), z.literal('skip_thought_signature_validator')]).optional()
const inlineData = z.strictObject({ mimeType: z.string().min(1), data: z.base64(), displayName: z.string().optional() })
const fileData = z.strictObject({ mimeType: z.string().optional(), fileUri: z.string().min(1) })
const struct = z.record(z.string(), z.unknown())
const functionName = z.string().regex(/^[a-zA-Z_][\w.:-]{0,127}$/)
const part = z
  .strictObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature,
    inlineData: inlineData.optional(),
    fileData: fileData.optional(),
    functionCall: z.strictObject({ id: z.string().optional(), name: functionName, args: struct.optional() }).optional(),
    functionResponse: z
      .strictObject({
        id: z.string().optional(),
        name: functionName,
        response: struct,
        parts: z.array(z.strictObject({ inlineData: inlineData.optional(), fileData: fileData.optional() })).optional(),
      })
      .optional(),
    executableCode: z.looseObject({}).optional(),
    codeExecutionResult: z.looseObject({}).optional(),
    toolCall: z.looseObject({}).optional(),
    toolResponse: z.looseObject({}).optional(),
    videoMetadata: z.looseObject({}).optional(),
    mediaResolution: z.looseObject({}).optional(),
  })
  .refine((one) => data.filter((name) => name in one).length === 1, {
    message: 'required oneof field data must have one initialized field',
  })
const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const

const declaration = z
  .strictObject({
    name: functionName,
    description: z.string().optional(),
    parameters: schema.optional(),
    parametersJsonSchema: z.looseObject({ type: z.literal('object') }).optional(),
    response: schema.optional(),
    responseJsonSchema: z.unknown().optional(),
    behavior: z.string().optional(),
  })
  .refine((one) => !(one.parameters && one.parametersJsonSchema), { message: 'one schema is enough' })

const request = z.strictObject({
  contents: z.array(z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(part).min(1) })).min(1),
  systemInstruction: z
    .strictObject({ role: z.string().optional(), parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1) })
    .optional(),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(declaration).min(1).max(512).optional(),
        googleSearch: z.looseObject({}).optional(),
        urlContext: z.looseObject({}).optional(),
        codeExecution: z.looseObject({}).optional(),
        googleMaps: z.looseObject({}).optional(),
        fileSearch: z.looseObject({}).optional(),
        computerUse: z.looseObject({}).optional(),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z
        .strictObject({
          mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']).optional(),
          allowedFunctionNames: z.array(functionName).min(1).optional(),
        })
        .optional(),
      retrievalConfig: z.looseObject({}).optional(),
      includeServerSideToolInvocations: z.boolean().optional(),
    })
    .optional(),
  generationConfig: z
    .strictObject({
      maxOutputTokens: z.number().int().min(1).optional(),
      temperature: z.number().min(0).max(2).optional(),
      topP: z.number().min(0).max(1).optional(),
      topK: z.number().optional(),
      candidateCount: z.number().int().optional(),
      seed: z.number().int().optional(),
      presencePenalty: z.number().optional(),
      frequencyPenalty: z.number().optional(),
      stopSequences: z.array(z.string()).max(5).optional(),
      responseMimeType: z.enum(['text/plain', 'application/json', 'text/x.enum']).optional(),
      responseSchema: schema.optional(),
      responseJsonSchema: z.unknown().optional(),
      responseModalities: z.array(z.string()).optional(),
      responseLogprobs: z.boolean().optional(),
      logprobs: z.number().int().optional(),
      mediaResolution: z.string().optional(),
      thinkingConfig: z
        .strictObject({
          includeThoughts: z.boolean().optional(),
          thinkingBudget: z.number().int().min(-1).max(32_768).optional(),
          thinkingLevel: z.enum(bothCases(['minimal', 'low', 'medium', 'high'])).optional(),
        })
        .refine((own) => !(own.thinkingBudget !== undefined && own.thinkingLevel), {
          message: 'you can only set one of thinking budget and thinking level',
        })
        .optional(),
    })
    .optional(),
  safetySettings: z
    .array(z.strictObject({ category: z.string(), threshold: z.string(), method: z.string().optional() }))
    .optional(),
  cachedContent: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  serviceTier: z.string().optional(),
})
type Request = z.infer<typeof request>
const counted = z.union([
  request.pick({ contents: true }),
  z.strictObject({ generateContentRequest: request.extend({ model: z.string().startsWith('models/') }) }),
])

/** Gemini's GenerateContent, as strict as its reference. */
export const gemini: Vendor = {
  faults: (asked) => {
    const found = [
      ...rule(asked.headers['x-goog-api-key'] !== undefined, 'the key must be in x-goog-api-key'),
      ...rule(pathOf(asked) !== undefined, `no such path ${asked.path}`),
      ...faultsIn(isCount(asked) ? counted : request, asked.json),
    ]
    return found.length > 0 || isCount(asked)
      ? found
      : [...turnFaults(asked.json, modelOf(asked)), ...configFaults(asked.json)]
  },
  tools: ({ json }) => functionsOf(json).map(({ name }) => name),
  thinks: ({ json }) => json.generationConfig?.thinkingConfig?.includeThoughts === true,
  says: (asked, said, figures) => {
    if (isCount(asked)) return { body: { totalTokens: Math.ceil(asked.text.length / 4) } }
    return asked.path.includes(':streamGenerateContent')
      ? { events: geminiStream(said, figures) }
      : { body: geminiAnswer(said, figures) }
  },
  refuses: (_, status, message) => ({
    status,
    body: geminiError(status, status === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT', message),
  }),
}

const pathOf = ({ path }: Recorded): RegExpExecArray | undefined =>
  /^\/v1beta\/models\/([\w.-]+):(generateContent|countTokens|streamGenerateContent\?alt=sse)$/.exec(path) ?? undefined

const isCount = ({ path }: Recorded): boolean => path.endsWith(':countTokens')

const modelOf = (asked: Recorded): string => pathOf(asked)?.[1] ?? ''

const functionsOf = ({ tools = [] }: Request) => tools.flatMap((one) => one.functionDeclarations ?? [])

/**
 * Calls follow a user turn and are followed by as many results with their names. After the user's last message, the
 * third generation requires a signature on the first call of every step.
 */
function turnFaults({ contents }: Request, model: string): string[] {
  const asked = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && parts.some((one) => one.text !== undefined),
  )
  return contents.flatMap(({ role, parts }, index) => {
    const before = contents[index - 1]
    const calls = (before?.parts ?? []).flatMap((one) => (one.functionCall ? [one.functionCall.name] : []))
    const results = parts.flatMap((one) => (one.functionResponse ? [one.functionResponse.name] : []))
    const first = parts.find((one) => one.functionCall)
    const isSealed = first?.thoughtSignature !== undefined && seals.includes(first.thoughtSignature)
    const isLast = index === contents.length - 1
    return [
      ...rule(!(isLast && role === 'model' && first), `contents.${index}: calls without results`),
      ...rule(
        String(calls.toSorted()) === String(results.toSorted()),
        `contents.${index}: as many function responses as function calls are needed (${calls} / ${results})`,
      ),
      ...rule(!(first && role !== 'model'), `contents.${index}: only the model calls`),
      ...rule(!(first && before === undefined), `contents.${index}: a call comes right after a user’s turn`),
      ...rule(
        !(first && index > asked && model.startsWith('gemini-3')) || isSealed,
        `contents.${index}: function call is missing a thought_signature`,
      ),
    ]
  })
}

const seals = [GEMINI_SEAL, 'skip_thought_signature_validator']

function configFaults(asked: Request): string[] {
  const { generationConfig: own, toolConfig } = asked
  const names = functionsOf(asked).map(({ name }) => name)
  const allowed = toolConfig?.functionCallingConfig?.allowedFunctionNames ?? []
  const isJson = own?.responseMimeType === 'application/json'
  const builtIn = (asked.tools ?? []).some((tool) => 'googleSearch' in tool || 'urlContext' in tool)
  return [
    ...rule(!(own?.responseSchema && own.responseJsonSchema), 'one schema is enough'),
    ...rule(isJson || !(own?.responseSchema || own?.responseJsonSchema), 'a schema needs application/json'),
    ...rule(new Set(names).size === names.length, 'duplicate function declaration'),
    ...rule(
      allowed.every((name) => names.includes(name)),
      'allowedFunctionNames must be declared',
    ),
    ...rule(
      !(builtIn && names.length > 0) || toolConfig?.includeServerSideToolInvocations === true,
      'built-in tools beside functions need includeServerSideToolInvocations',
    ),
  ]
}
