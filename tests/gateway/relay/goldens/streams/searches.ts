import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { frame, item, outputText, sealedPart, used } from '../answers.ts'
import type { StreamGolden } from '../golden.ts'
import {
  anthropicStream,
  begun,
  block,
  chunk,
  ended,
  geminiEnd,
  geminiStream,
  responsesStream,
  searchItem,
  textBlock,
  textItem,
} from '../streams.ts'

const page = { url: 'https://news.example/1', title: 'News' }
const counted = { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } }
const looked = { type: 'search', query: 'news', sources: [{ type: 'url', url: page.url }] }
const call = (id: string, action: Json): Json => ({ type: 'web_search_call', id, status: 'completed', action })

const searchBlocks = (index: number, id: string, input: Json, content: readonly Json[]): readonly Json[] => [
  ...block(index, { type: 'server_tool_use', id, name: 'web_search', input: {} }, [
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  ]),
  ...block(index + 1, { type: 'web_search_tool_result', tool_use_id: id, content }, []),
]

const found = { type: 'web_search_result', ...page, encrypted_content: 'X', page_age: null }
const sealedPage = { ...found, title: page.url, encrypted_content: 'switchyard:responses:page:' }
const hi = item.message(1, [outputText('Hi.')])

/** Anthropic's own blocks, sealed for the client to send back. */
const sealedBlocks = item.thought(
  0,
  '',
  sealedPart('anthropic', [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'news' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
  ]),
)
const wholeItem = (output_index: number, whole: Json): readonly Json[] => [
  { type: 'response.output_item.added', output_index, item: whole },
  { type: 'response.output_item.done', output_index, item: whole },
]

/** The same with one search in its usage. */
const charged = (stream: readonly Json[]): readonly Json[] =>
  stream.map((event) =>
    event.type === 'message_delta' ? { ...event, usage: { ...used.anthropic, ...counted } } : event,
  )
const chargedChat = [
  begun(),
  chunk({ content: 'Hi.' }),
  chunk({}, 'stop'),
  ...ended.map((each) =>
    typeof each === 'string'
      ? each
      : { ...each, usage: { ...used.openai, server_tool_use: { web_search_requests: 1 } } },
  ),
]

/** A Gemini stream with the search queries at its end. */
const grounded = (...webSearchQueries: readonly string[]): readonly Json[] => {
  const [text = {}] = geminiStream([{ text: 'Hi.' }])
  const { candidates, ...rest } = geminiEnd(['STOP'])
  const [only] = Array.isArray(candidates) ? candidates : []
  return [text, { ...rest, candidates: [{ ...only, groundingMetadata: { webSearchQueries } }] }]
}

/** Web actions by the vendors' own tools. */
export const searches: readonly StreamGolden[] = [
  {
    feature: 'Web search by the vendor',
    forms: {
      openai: null,
      responses: responsesStream(
        [...searchItem(0, call('ws_1', looked)), ...textItem(1, ['Hi.'])],
        [call('ws_1', looked), hi],
      ),
      anthropic: charged(
        anthropicStream([...searchBlocks(0, 'srvtoolu_1', { query: 'news' }, [found]), ...textBlock(2, 'Hi.')]),
      ),
      gemini: null,
    },
    outcomes: {
      'responses>openai': { wire: chargedChat, reported: ['web_search_call'] },
      'responses>anthropic': {
        wire: charged(
          anthropicStream([
            ...searchBlocks(0, 'srvtoolu_switchyard_ws_1', { query: 'news' }, [sealedPage]),
            ...textBlock(2, 'Hi.'),
          ]),
        ),
      },
      'responses>gemini': { wire: grounded('news'), isNearest: true },
      'anthropic>openai': { wire: chargedChat, reported: ['server_tool_use'] },
      'anthropic>responses': {
        wire: responsesStream(
          [...wholeItem(0, sealedBlocks), ...searchItem(1, call(`ws_${frame.id}_1`, looked)), ...textItem(2, ['Hi.'])],
          [sealedBlocks, call(`ws_${frame.id}_1`, looked), item.message(2, [outputText('Hi.')])],
        ),
      },
      'anthropic>gemini': { wire: grounded('news'), isNearest: true },
    },
  },
  {
    feature: 'Web search unfinished when the turn paused',
    forms: {
      openai: null,
      responses: null,
      anthropic: charged(
        anthropicStream(searchBlocks(0, 'srvtoolu_1', { query: 'news' }, []).slice(0, 3), 'pause_turn'),
      ),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': { wire: chargedChat.filter((_, index) => index !== 1), reported: ['server_tool_use'] },
      'anthropic>responses': {
        wire: responsesStream(searchItem(0, call(`ws_${frame.id}_0`, { type: 'search', query: 'news' })), [
          call(`ws_${frame.id}_0`, { type: 'search', query: 'news' }),
        ]),
        isNearest: true,
      },
      'anthropic>gemini': { wire: grounded('news').slice(1), isNearest: true },
    },
  },
  {
    feature: 'Google search queries',
    forms: { openai: null, responses: null, anthropic: null, gemini: grounded('news') },
    outcomes: {
      'gemini>openai': { wire: chargedChat, reported: ['groundingMetadata.webSearchQueries'] },
      'gemini>responses': {
        wire: responsesStream(
          [...textItem(0, ['Hi.']), ...searchItem(1, call(`ws_${frame.id}_1`, { type: 'search', query: 'news' }))],
          [item.message(0, [outputText('Hi.')]), call(`ws_${frame.id}_1`, { type: 'search', query: 'news' })],
        ),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: charged(
          anthropicStream([
            ...textBlock(0, 'Hi.'),
            ...searchBlocks(1, `srvtoolu_switchyard_${frame.id}`, { query: 'news' }, []),
          ]),
        ),
        isNearest: true,
      },
    },
  },
]
