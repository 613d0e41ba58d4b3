import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { item, outputText } from '../answers.ts'
import { type Outcome, type Pair, pairs, type StreamGolden } from '../golden.ts'
import {
  anthropicStream,
  callBlock,
  callItem,
  geminiStream,
  openaiCall,
  openaiStream,
  responsesStream,
  textBlock,
  textItem,
  thoughtBlock,
  thoughtItem,
} from '../streams.ts'

type Stream = readonly (Json | string)[]
type Forms = Readonly<Record<Format, Stream>>

const TOOL = 'structured_answer'
const paris = '{"city":"Paris"}'
const pieces = ['{"ci', 'ty":"Par', 'is"}']

/** A call of the tool for the final answer, in pieces; Gemini's is in one piece. */
const called = (parts: readonly string[]): Forms => {
  const call = callItem(0, 'call_1', TOOL, parts)
  const functionCall = { id: 'call_1', name: TOOL, args: JSON.parse(parts.join('')) }
  return {
    openai: openaiStream(openaiCall(0, 'call_1', TOOL, parts), 'tool_calls'),
    responses: responsesStream([...call.begin, ...call.end], [item.call(0, 'call_1', TOOL, parts.join(''))]),
    anthropic: anthropicStream(callBlock(0, 'call_1', TOOL, parts), 'tool_use'),
    gemini: geminiStream([], [{ functionCall }]),
  }
}

/** Streams with the same JSON as text. */
const said = (parts: readonly string[]): Forms => ({
  openai: openaiStream(parts.map((content) => ({ content }))),
  responses: responsesStream(textItem(0, parts), [item.message(0, [outputText(parts.join(''))])]),
  anthropic: anthropicStream(textBlock(0, ...parts)),
  gemini: geminiStream(parts.map((text) => ({ text }))),
})

/** The same after reasoning. */
const saidAfter = (thought: string, parts: readonly string[]): Forms => ({
  openai: openaiStream([{ reasoning_content: thought }, ...parts.map((content) => ({ content }))]),
  responses: responsesStream(
    [...thoughtItem(0, [thought]), ...textItem(1, parts)],
    [item.thought(0, thought), item.message(1, [outputText(parts.join(''))])],
  ),
  anthropic: anthropicStream([...thoughtBlock(0, [thought], ''), ...textBlock(1, ...parts)]),
  gemini: geminiStream([{ text: thought, thought: true }, ...parts.map((text) => ({ text }))]),
})

/** The same with more reasoning after it. */
const saidBetween = (before: string, parts: readonly string[], after: string): Forms => ({
  openai: openaiStream([
    { reasoning_content: before },
    ...parts.map((content) => ({ content })),
    { reasoning_content: after },
  ]),
  responses: responsesStream(
    [...thoughtItem(0, [before]), ...textItem(1, parts), ...thoughtItem(2, [after])],
    [item.thought(0, before), item.message(1, [outputText(parts.join(''))]), item.thought(2, after)],
  ),
  anthropic: anthropicStream([
    ...thoughtBlock(0, [before], ''),
    ...textBlock(1, ...parts),
    ...thoughtBlock(2, [after], ''),
  ]),
  gemini: geminiStream([
    { text: before, thought: true },
    ...parts.map((text) => ({ text })),
    { text: after, thought: true },
  ]),
})

/** The result for every direction; `to` receives the source dialect. */
const written = (to: (from: Format) => Forms): Readonly<Record<Pair, Outcome<Stream>>> =>
  Object.fromEntries(pairs.map((way) => [way.pair, { wire: to(way.from)[way.to] }])) as Record<Pair, Outcome<Stream>> // one for each pair

const prefaced = (): Forms => {
  const call = callItem(1, 'call_1', TOOL, [paris])
  return {
    openai: openaiStream([{ content: 'Let me see.' }, ...openaiCall(0, 'call_1', TOOL, [paris])], 'tool_calls'),
    responses: responsesStream(
      [...textItem(0, ['Let me see.']), ...call.begin, ...call.end],
      [item.message(0, [outputText('Let me see.')]), item.call(1, 'call_1', TOOL, paris)],
    ),
    anthropic: anthropicStream([...textBlock(0, 'Let me see.'), ...callBlock(1, 'call_1', TOOL, [paris])], 'tool_use'),
    gemini: geminiStream(
      [{ text: 'Let me see.' }],
      [{ functionCall: { id: 'call_1', name: TOOL, args: { city: 'Paris' } } }],
    ),
  }
}

const list = ['{"answer"', ': [1,', ' {"b": "]}"}', '] ', '}']

/** JSON produced by other means than a response format. */
export const structured: readonly StreamGolden[] = [
  {
    feature: 'JSON as answer tool arguments',
    structured: { tool: TOOL },
    forms: called(pieces),
    outcomes: written((from) => said(from === 'gemini' ? [paris] : pieces)),
  },
  {
    feature: 'Non-object JSON as the only answer tool argument',
    structured: { tool: TOOL, isWrapped: true },
    forms: called(list),
    outcomes: written((from) => said(from === 'gemini' ? ['[1,{"b":"]}"}]'] : ['[1,', ' {"b": "]}"}', '] '])),
  },
  {
    feature: 'Text before an answer tool call',
    structured: { tool: TOOL },
    forms: prefaced(),
    outcomes: written(() => saidAfter('Let me see.', [paris])),
  },
  {
    feature: 'JSON as text instead of an answer tool call',
    structured: { tool: TOOL },
    forms: said(pieces),
  },
  {
    feature: 'Text around JSON (requested by prompt)',
    structured: {},
    forms: said(['Here:\n``', '`json\n{"a":"', '}"}', '\n```\nDone.']),
    outcomes: written(() => saidBetween('Here:\n', ['{"a":"', '}"}'], '\nDone.')),
  },
  {
    feature: 'JSON in a code fence (requested by prompt)',
    structured: {},
    forms: said(['```json\n', paris, '\n```']),
    outcomes: written(() => said([paris])),
  },
]
