import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { anthropic, gemini, openai, responses, weather } from '../requests.ts'

/** A call of the weather tool and its result. */
type Round = Readonly<{ id: string; city: string; degrees: number }>

const asked = 'How warm is it?'

/** A user message, calls of the weather tool after an optional text, and their results, in each dialect. */
export const rounds = (calls: readonly Round[], word?: string) => ({
  openai: openai({
    messages: [
      { role: 'user', content: asked },
      {
        role: 'assistant',
        content: word ?? null,
        tool_calls: calls.map(({ id, city }) => ({
          id,
          type: 'function',
          function: { name: 'weather', arguments: JSON.stringify({ city }) },
        })),
      },
      ...calls.map(({ id, degrees }) => ({ role: 'tool', tool_call_id: id, content: JSON.stringify({ degrees }) })),
    ],
    tools: [weather.openai],
  }),
  responses: responses({
    input: [
      { role: 'user', content: asked },
      ...(word ? [{ role: 'assistant', content: word }] : []),
      ...calls.map(({ id, city }) => ({
        type: 'function_call',
        call_id: id,
        name: 'weather',
        arguments: JSON.stringify({ city }),
      })),
      ...calls.map(({ id, degrees }) => ({
        type: 'function_call_output',
        call_id: id,
        output: JSON.stringify({ degrees }),
      })),
    ],
    tools: [weather.responses],
  }),
  anthropic: anthropic({
    messages: [
      { role: 'user', content: asked },
      {
        role: 'assistant',
        content: [
          ...(word ? [{ type: 'text', text: word }] : []),
          ...calls.map(({ id, city }) => ({ type: 'tool_use', id, name: 'weather', input: { city } })),
        ],
      },
      {
        role: 'user',
        content: calls.map(({ id, degrees }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: JSON.stringify({ degrees }),
        })),
      },
    ],
    tools: [weather.anthropic],
  }),
  gemini: gemini({
    contents: [
      { role: 'user', parts: [{ text: asked }] },
      {
        role: 'model',
        parts: [
          ...(word ? [{ text: word }] : []),
          ...calls.map(({ city }) => ({ functionCall: { name: 'weather', args: { city } } })),
        ],
      },
      {
        role: 'user',
        parts: calls.map(({ degrees }) => ({ functionResponse: { name: 'weather', response: { degrees } } })),
      },
    ],
    tools: [{ functionDeclarations: [weather.gemini] }],
  }),
})

export const paris: Round = { id: 'call_1', city: 'Paris', degrees: 21 }
export const oslo: Round = { id: 'call_2', city: 'Oslo', degrees: 0 }

export const oneRound = rounds([paris])

/** The request in Chat Completions or Responses with one item replaced. */
export const withItem = (request: Json, list: 'messages' | 'input', index: number, item: Json): Json => {
  const items = Array.isArray(request[list]) ? [...request[list]] : []
  items[index] = item
  return { ...request, [list]: items }
}
