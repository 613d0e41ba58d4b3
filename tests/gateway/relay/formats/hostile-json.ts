import { readJsonNow } from '../../../../gateway/base/json/json-read.ts'
import { answerBounds, requestBounds } from '../../../../gateway/base/json/json-scan.ts'
import type { Json } from '../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { frame } from '../goldens/answers.ts'
import { aSetOfCodecs, chargedFor } from '../goldens/replay-answer.ts'
import { translatedText } from '../goldens/replay-stream.ts'

/** JSON texts that change when they are parsed and written again. */
export const hostile: readonly string[] = [
  '9007199254740993',
  '-9007199254740993',
  '2512292042121000001',
  '18446744073709551615',
  '-9223372036854775808',
  '123456789012345678901234567890',
  '1e400',
  '-1E+400',
  '1e-400',
  '12345678901234567890.5',
  '[1,[2,{"a":9007199254740993}],"9007199254740993"]',
  '{"__proto__":{"a":9007199254740993},"constructor":1,"toString":null,"":{"":0}}',
  '{"digits":"1","rawJSON":"1","INVALID_JSON":"{"}',
  String.raw`"\ud800 \udc00 \u0000 \u2028 \u2029 \u007f \" \\"`,
  '"\u2028\u2029"',
  '"9007199254740993, 1e400: -0"',
  `${'['.repeat(20)}9007199254740993${']'.repeat(20)}`,
  `"${'long '.repeat(4000)}"`,
  'null',
  'false',
]

/** Numbers whose value survives parsing but whose spelling does not. */
export const oddlyWritten: readonly string[] = ['0.1000', '1.0', '1E-7', '-0', '1e5', '-0.0e1']

/** A text that is equal only for equal values whose numbers have the same spelling. */
export const lettersOf = (text: string): string => JSON.stringify(read(text))

type Reviver = (key: string, value: unknown, context: Readonly<{ source?: string }>) => unknown
// Node passes a number's source text; the standard library's types do not have this yet.
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown
const read = (text: string): unknown =>
  parse(text, (_, value, { source }) => (typeof value === 'number' ? `number ${source}` : value))

type Found = { arguments: string; result: string; schema: string }
const quoted = JSON.stringify

/** A request with a call with these arguments, its result, and a tool with this schema. */
export const requestOf: Readonly<Record<Format, (found: Found) => string>> = {
  openai: ({ arguments: json, result, schema }) =>
    `{"messages":[{"role":"user","content":"Go"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${quoted(json)}}}]},{"role":"tool","tool_call_id":"a","content":${quoted(result)}}],"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]}`,
  responses: ({ arguments: json, result, schema }) =>
    `{"input":[{"role":"user","content":"Go"},{"type":"function_call","call_id":"a","name":"f","arguments":${quoted(json)}},{"type":"function_call_output","call_id":"a","output":${quoted(result)}}],"tools":[{"type":"function","name":"f","strict":false,"parameters":${schema}}]}`,
  anthropic: ({ arguments: json, result, schema }) =>
    `{"max_tokens":9,"messages":[{"role":"user","content":"Go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":${json}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":${quoted(result)}}]}],"tools":[{"name":"f","input_schema":${schema}}]}`,
  gemini: ({ arguments: json, result, schema }) =>
    `{"contents":[{"role":"user","parts":[{"text":"Go"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":${json}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":${result}}}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${schema}}]}]}`,
}

const models = { openai: 'gpt-4.1', responses: 'gpt-4.1', anthropic: 'claude-sonnet-4-5', gemini: 'gemini-2.5-flash' }
const settings = { claudeMaxTokens: { default: 100 }, geminiSafety: {}, geminiImageModels: [] }

/** The JSON of a request after conversion to another dialect. */
export function requestAsked(text: string, from: Format, to: Format): string {
  const codecs = aSetOfCodecs()
  const wire = readJsonNow(Buffer.from(text), requestBounds).json as Json // every request here is an object
  const target = { model: models[to], streamOptions: false, cacheMarks: false, strictOpenai: true, settings }
  const conversation = codecs[from].decodeRequest(wire, models[to], false)
  return quoted(codecs[to].encodeRequest(conversation, { ...target, drop: () => {} }))
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent
type Any = any
const asText = (value: unknown): string => (typeof value === 'string' ? lettersOf(value) : quoted(value))

/** The JSON texts that a request carries. */
export const carried: Readonly<Record<Format, (text: string) => Found>> = {
  openai(text) {
    const { messages, tools } = read(text) as Any
    const [{ function: call }] = messages[1].tool_calls
    const schema = quoted(tools[0].function.parameters)
    return { arguments: asText(call.arguments), result: asText(messages[2].content), schema }
  },
  responses(text) {
    const { input, tools } = read(text) as Any
    return {
      arguments: asText(input[1].arguments),
      result: asText(input[2].output),
      schema: quoted(tools[0].parameters),
    }
  },
  anthropic(text) {
    const { messages, tools } = read(text) as Any
    const result = asText(messages[2].content[0].content)
    return { arguments: quoted(messages[1].content[0].input), result, schema: quoted(tools[0].input_schema) }
  },
  gemini(text) {
    const { contents, tools } = read(text) as Any
    const result = quoted(contents[2].parts[0].functionResponse.response)
    const schema = quoted(tools[0].functionDeclarations[0].parametersJsonSchema)
    return { arguments: quoted(contents[1].parts[0].functionCall.args), result, schema }
  },
}

/** A complete response that calls a tool with this JSON as arguments. */
export const answerOf: Readonly<Record<Format, (json: string) => string>> = {
  openai: (json) =>
    `{"id":"c","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${quoted(json)}}}]}}]}`,
  responses: (json) =>
    `{"id":"r","status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":${quoted(json)}}]}`,
  anthropic: (json) =>
    `{"id":"m","type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"a","name":"f","input":${json}}]}`,
  gemini: (json) =>
    `{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":${json}}}]}}]}`,
}

export function answerGiven(text: string, from: Format, to: Format): string {
  const codecs = aSetOfCodecs()
  const events = codecs[from].decodeAnswer(readJsonNow(Buffer.from(text), answerBounds).json)
  return quoted(codecs[to].encodeAnswer(events, frame, chargedFor(events)))
}

/** The JSON text of the arguments in a response. */
export const called: Readonly<Record<Format, (text: string) => string>> = {
  openai: (text) => asText((read(text) as Any).choices[0].message.tool_calls[0].function.arguments),
  responses: (text) => asText((read(text) as Any).output[0].arguments),
  anthropic: (text) => quoted((read(text) as Any).content[0].input),
  gemini: (text) => quoted((read(text) as Any).candidates[0].content.parts[0].functionCall.args),
}

const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]

/** The same response as the payloads of a stream. */
export const streamOf: Readonly<Record<Format, (json: string) => readonly string[]>> = {
  openai: (json) => [
    '{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}}]}',
    ...halves(json).map(
      (half) =>
        `{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":${quoted(half)}}}]}}]}`,
    ),
    '{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
    '[DONE]',
  ],
  responses: (json) => [
    '{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":""}}',
    ...halves(json).map(
      (half) =>
        `{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"fc_1","delta":${quoted(half)}}`,
    ),
    `{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":${quoted(json)}}}`,
    `{"type":"response.completed","response":${answerOf.responses(json)}}`,
  ],
  anthropic: (json) => [
    '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}',
    ...halves(json).map(
      (half) =>
        `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${quoted(half)}}}`,
    ),
    '{"type":"content_block_stop","index":0}',
    '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
    '{"type":"message_stop"}',
  ],
  gemini: (json) => [answerOf.gemini(json)],
}

export function streamGiven(payloads: readonly string[], from: Format, to: Format): readonly string[] {
  const sent = payloads.map((payload) => `data: ${payload}\n\n`).join('')
  const golden = { feature: '', forms: { openai: null, responses: null, anthropic: null, gemini: null } }
  const text = translatedText(golden, from, to, [Buffer.from(sent)])
  return text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [line.slice('data: '.length)] : []))
}

/** The JSON text of the arguments in a stream. */
export const streamed: Readonly<Record<Format, (payloads: readonly string[]) => string>> = {
  openai: (payloads) =>
    asText(
      payloads
        .map((payload) => JSON.parse(payload).choices?.[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? '')
        .join(''),
    ),
  responses: (payloads) =>
    asText(JSON.parse(payloads.find((payload) => payload.includes('_arguments.done')) ?? '{}').arguments),
  anthropic: (payloads) => asText(payloads.map((payload) => JSON.parse(payload).delta?.partial_json ?? '').join('')),
  gemini(payloads) {
    const all = payloads.map((payload) => read(payload) as Any)
    const parts = all.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    return quoted(parts.find((part: Any) => part.functionCall)?.functionCall.args)
  },
}
