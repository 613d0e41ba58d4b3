import { z } from 'zod'
import { faultsIn, rule } from '../vendors/vendor.ts'
import { faultsOfEvents, isStream, type ReadAnswer } from './dialect.ts'

const finish_reason = z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])
const usage = z.strictObject({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
  prompt_tokens_details: z.looseObject({}).nullish(),
  completion_tokens_details: z.looseObject({}).nullish(),
})
/** OpenAI's own dialect has no field for reasoning; clients read it under these names. */
const thoughts = {
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).optional(),
}
const head = { id: z.string(), created: z.number().int(), model: z.string() }
const beyond = { system_fingerprint: z.string().nullish(), service_tier: z.string().nullish() }
const chunk = z.strictObject({
  ...head,
  ...beyond,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.strictObject({
      index: z.number().int(),
      delta: z.strictObject({
        ...thoughts,
        role: z.literal('assistant').optional(),
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z
          .array(
            z.strictObject({
              index: z.number().int(),
              id: z.string().min(1).optional(),
              type: z.literal('function').optional(),
              function: z.strictObject({ name: z.string().optional(), arguments: z.string().optional() }),
              extra_content: z.unknown().optional(),
            }),
          )
          .optional(),
      }),
      finish_reason: finish_reason.nullish(),
      logprobs: z.unknown().optional(),
    }),
  ),
  usage: usage.nullish(),
})
const whole = z.strictObject({
  ...head,
  ...beyond,
  object: z.literal('chat.completion'),
  choices: z
    .array(
      z.strictObject({
        index: z.number().int(),
        message: z.strictObject({
          ...thoughts,
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullish(),
          annotations: z.array(z.unknown()).optional(),
          tool_calls: z
            .array(
              z.strictObject({
                id: z.string().min(1),
                type: z.literal('function'),
                function: z.strictObject({ name: z.string(), arguments: z.string() }),
                extra_content: z.unknown().optional(),
              }),
            )
            .optional(),
        }),
        finish_reason,
        logprobs: z.unknown().optional(),
      }),
    )
    .length(1),
  usage,
})
type Chunk = z.infer<typeof chunk>

/** Reads OpenAI's chat completions: one finish reason, `[DONE]` last, calls that start with their id and name. */
export const readChat: ReadAnswer = (answer) => {
  if (!isStream(answer)) return readWhole(answer.json)
  const chunks = answer.events.filter((event): event is Chunk => typeof event === 'object')
  const found = faultsOfEvents(chunk, chunks)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const choices = chunks.flatMap((one) => one.choices)
  const calls: { name: string; json: string; id: string }[] = []
  for (const { delta } of choices)
    for (const piece of delta.tool_calls ?? []) {
      calls[piece.index] ??= { name: '', json: '', id: piece.id ?? '' }
      const call = calls[piece.index]
      if (!call) continue
      call.name += piece.function.name ?? ''
      call.json += piece.function.arguments ?? ''
    }
  return {
    faults: [
      ...rule(answer.events.at(-1) === '[DONE]', 'a stream ends with [DONE]'),
      ...rule(choices.filter((one) => one.finish_reason).length === 1, 'a choice ends once'),
      ...rule(
        calls.every(({ id, name }) => id !== '' && name !== ''),
        'a call begins with its id and name',
      ),
      ...rule(
        calls.length === 0 || choices.some((one) => one.finish_reason === 'tool_calls'),
        'finish_reason must be tool_calls',
      ),
    ],
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    calls,
  }
}

function readWhole(json: unknown): ReturnType<ReadAnswer> {
  const found = faultsIn(whole, json)
  if (found.length > 0) return { faults: found, text: '', calls: [] }
  const { message } = whole.parse(json).choices[0] ?? {}
  const calls = (message?.tool_calls ?? []).map((one) => ({ name: one.function.name, json: one.function.arguments }))
  return { faults: [], text: message?.content ?? '', calls }
}
