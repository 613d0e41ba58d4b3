import { candidate, choice, completion, generated, message, response } from '../answers.ts'
import { clientCalls as calls } from '../client-calls.ts'
import type { AnswerGolden } from '../golden.ts'

/** Calls of tools whose form differs between the vendor and the client. */
export const clientCalls: readonly AnswerGolden[] = calls.map(({ feature, name, input, clientTools, told }) => ({
  feature,
  clients: ['responses'],
  frame: { clientTools },
  forms: {
    openai: completion([
      choice(
        { tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } }] },
        'tool_calls',
      ),
    ]),
    responses: response([told]),
    anthropic: message([{ type: 'tool_use', id: 'call_1', name, input }], 'tool_use'),
    gemini: generated([candidate([{ functionCall: { id: 'call_1', name, args: input } }])]),
  },
}))
