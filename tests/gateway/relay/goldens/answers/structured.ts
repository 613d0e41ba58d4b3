import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { candidate, choice, completion, generated, item, message, outputText, response } from '../answers.ts'
import { type AnswerGolden, type Outcome, type Pair, pairs } from '../golden.ts'

type Forms = Readonly<Record<Format, Json>>

const TOOL = 'structured_answer'
const paris = { city: 'Paris' }

type Named = Readonly<{ id: string; name: string; input: object }>

/** A response with these calls, in each dialect. */
const called = (...calls: readonly Named[]): Forms => ({
  openai: completion([
    choice(
      {
        tool_calls: calls.map(({ id, name, input }) => ({
          id,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        })),
      },
      'tool_calls',
    ),
  ]),
  responses: response(calls.map(({ id, name, input }, index) => item.call(index, id, name, JSON.stringify(input)))),
  anthropic: message(
    calls.map((call) => ({ type: 'tool_use', ...call })),
    'tool_use',
  ),
  gemini: generated([candidate(calls.map(({ id, name, input: args }) => ({ functionCall: { id, name, args } })))]),
})

const said = (text: string): Forms => ({
  openai: completion([choice({ content: text })]),
  responses: response([item.message(0, [outputText(text)])]),
  anthropic: message([{ type: 'text', text }]),
  gemini: generated([candidate([{ text }])]),
})

const written = (forms: Forms): Readonly<Record<Pair, Outcome<Json>>> =>
  Object.fromEntries(pairs.map(({ pair, to }) => [pair, { wire: forms[to] }])) as Record<Pair, Outcome<Json>> // one for each pair

const weather = { id: 'call_1', name: 'weather', input: paris }
const answer = (id: string, input: object) => ({ id, name: TOOL, input })

/** JSON produced by other means than a response format. */
export const structured: readonly AnswerGolden[] = [
  {
    feature: 'JSON as answer tool arguments',
    structured: { tool: TOOL },
    forms: called(answer('call_1', paris)),
    outcomes: written(said('{"city":"Paris"}')),
  },
  {
    feature: 'Non-object JSON as the only answer tool argument',
    structured: { tool: TOOL, isWrapped: true },
    forms: called(answer('call_1', { answer: [1, 2] })),
    outcomes: written(said('[1,2]')),
  },
  {
    feature: 'Two answer tool calls (second one ignored)',
    structured: { tool: TOOL },
    forms: called(answer('call_1', paris), answer('call_2', { city: 'Oslo' })),
    outcomes: written(said('{"city":"Paris"}')),
  },
  {
    feature: 'Call of another tool instead of the answer tool',
    structured: { tool: TOOL },
    forms: called(weather),
  },
  {
    feature: 'Call of another tool together with the answer tool (answer tool call ignored)',
    structured: { tool: TOOL },
    forms: called(weather, answer('call_2', paris)),
    outcomes: written(called(weather)),
  },
  {
    feature: 'JSON in a code fence (requested by prompt)',
    structured: {},
    forms: said('```json\n{"city":"Paris"}\n```'),
    outcomes: written(said('{"city":"Paris"}')),
  },
]
