import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, plain, responses } from '../requests.ts'

/** Fields of a single dialect; for all others they are reported. */
const ownField = (feature: string, from: Format, form: Json, ...reported: readonly string[]): RequestGolden => ({
  feature,
  forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
  outcomes: Object.fromEntries(
    pairs.filter((each) => each.from === from).map(({ pair }): [string, Outcome<Json>] => [pair, { reported }]),
  ),
})

const unknown = { future_field: { of: 'tomorrow' } }

/** Fields without a counterpart in any other dialect. */
export const ownFields: readonly RequestGolden[] = [
  {
    feature: 'Unknown fields',
    forms: {
      openai: openai(unknown),
      responses: responses(unknown),
      anthropic: anthropic(unknown),
      gemini: gemini({ futureField: { of: 'tomorrow' } }),
    },
    outcomes: Object.fromEntries(
      pairs.map(({ pair, from, to }): [string, Outcome<Json>] => [
        pair,
        {
          wire: plain[to],
          reported: [from === 'gemini' ? 'futureField' : 'future_field'],
          impossible: 'The meaning of the fields is unknown',
        },
      ]),
    ),
  },
  ownField('Predicted output', 'openai', openai({ prediction: { type: 'content', content: 'Hi' } }), 'prediction'),
  ownField('Logit bias', 'openai', openai({ logit_bias: { 50256: -100 } }), 'logit_bias'),
  ownField(
    'Prompt truncation and tool call limit',
    'responses',
    responses({ truncation: 'auto', max_tool_calls: 3 }),
    ...['max_tool_calls', 'truncation'],
  ),
  ownField('Stored prompt', 'responses', responses({ prompt: { id: 'pmpt_1' } }), 'prompt'),
  ownField('Code execution container', 'anthropic', anthropic({ container: 'container_1' }), 'container'),
  ownField(
    'MCP servers',
    'anthropic',
    anthropic({ mcp_servers: [{ type: 'url', url: 'https://tools.example', name: 'tools' }] }),
    'mcp_servers',
  ),
  ownField(
    'Safety settings',
    'gemini',
    gemini({ safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] }),
    'safetySettings',
  ),
  ownField('Cached content', 'gemini', gemini({ cachedContent: 'cachedContents/1' }), 'cachedContent'),
]
