import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { clientCalls as calls } from '../client-calls.ts'
import type { StreamGolden } from '../golden.ts'
import { anthropicStream, callBlock, geminiStream, openaiCall, openaiStream, responsesStream } from '../streams.ts'

/** The pieces in which a call's arguments arrive. */
function piecesOf(input: Json): readonly string[] {
  const json = JSON.stringify(input)
  return [json.slice(0, 3), json.slice(3)]
}

/** The events of a call's item: in pieces for functions, in one piece for others. */
function eventsOf(told: Json, pieces: readonly string[]): readonly Json[] {
  const place = { item_id: told.id, output_index: 0 }
  const done = { type: 'response.output_item.done', output_index: 0, item: told }
  if (told.type !== 'function_call') return [{ type: 'response.output_item.added', output_index: 0, item: told }, done]
  const begun = { ...told, status: 'in_progress', arguments: '' }
  return [
    { type: 'response.output_item.added', output_index: 0, item: begun },
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    { type: 'response.function_call_arguments.done', ...place, arguments: told.arguments },
    done,
  ]
}

/** Streams with calls of tools whose form differs between the vendor and the client. */
export const clientCalls: readonly StreamGolden[] = calls.map(({ feature, name, input, clientTools, told }) => {
  const pieces = piecesOf(input)
  return {
    feature,
    clients: ['responses'],
    frame: { clientTools },
    forms: {
      openai: openaiStream(openaiCall(0, 'call_1', name, pieces), 'tool_calls'),
      responses: responsesStream(eventsOf(told, pieces), [told]),
      anthropic: anthropicStream(callBlock(0, 'call_1', name, pieces), 'tool_use'),
      gemini: geminiStream([], [{ functionCall: { id: 'call_1', name, args: input } }]),
    },
    // Gemini sends a call in one piece.
    outcomes: { 'gemini>responses': { wire: responsesStream(eventsOf(told, [JSON.stringify(input)]), [told]) } },
  }
})
