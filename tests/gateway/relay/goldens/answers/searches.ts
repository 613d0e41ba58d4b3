import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import {
  candidate,
  choice,
  completion,
  generated,
  item,
  message,
  outputText,
  response,
  sealedPart,
  used,
} from '../answers.ts'
import type { AnswerGolden } from '../golden.ts'

const page = { url: 'https://news.example/1', title: 'News' }

/** A response after this many searches by the vendor, in the dialects whose usage counts them. */
const searching = (times: number) => ({
  openai: completion([choice({ content: 'Hi.' })], {
    ...used.openai,
    server_tool_use: { web_search_requests: times },
  }),
  anthropic: {
    usage: { ...used.anthropic, server_tool_use: { web_search_requests: times, web_fetch_requests: 0 } },
  },
})
const call = (id: string, action: Json): Json => ({ id, type: 'web_search_call', status: 'completed', action })
const looked = { type: 'search', query: 'news', sources: [{ type: 'url', url: page.url }] }
const found = { type: 'web_search_result', ...page, encrypted_content: 'X', page_age: '1 day' }
/** The same page as the gateway seals it when only its address is known. */
const sealedPage = {
  ...found,
  title: page.url,
  encrypted_content: 'switchyard:responses:page:',
  page_age: null,
}
const blocks = (id: string, content: readonly Json[], more: Json = {}): readonly Json[] => [
  { type: 'server_tool_use', id, name: 'web_search', input: { query: 'news', ...more } },
  { type: 'web_search_tool_result', tool_use_id: id, content },
]
const opened = (id: string, data: string): readonly Json[] => [
  { type: 'server_tool_use', id, name: 'web_fetch', input: { url: page.url } },
  {
    type: 'web_fetch_tool_result',
    tool_use_id: id,
    content: {
      type: 'web_fetch_result',
      url: page.url,
      content: {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data },
        title: null,
        citations: null,
      },
      retrieved_at: null,
    },
  },
]
const searchedFor = (...webSearchQueries: readonly string[]): Json =>
  generated([candidate([{ text: 'Hi.' }], 'STOP', 0, { groundingMetadata: { webSearchQueries } })])

/** Web actions by the vendors' own tools. */
export const searches: readonly AnswerGolden[] = [
  {
    feature: 'Web search by the vendor',
    forms: {
      openai: null,
      responses: response([call('ws_1', looked), item.message(1, [outputText('Hi.')])]),
      anthropic: message(
        [...blocks('srvtoolu_1', [found]), { type: 'text', text: 'Hi.' }],
        'end_turn',
        searching(1).anthropic,
      ),
      gemini: null,
    },
    outcomes: {
      'responses>openai': { wire: searching(1).openai, reported: ['web_search_call'] },
      'responses>anthropic': {
        wire: message(
          [...blocks('srvtoolu_switchyard_ws_1', [sealedPage]), { type: 'text', text: 'Hi.' }],
          'end_turn',
          searching(1).anthropic,
        ),
      },
      'responses>gemini': { wire: searchedFor('news'), isNearest: true },
      'anthropic>openai': { wire: searching(1).openai, reported: ['server_tool_use'] },
      'anthropic>responses': {
        wire: response([
          item.thought(0, '', sealedPart('anthropic', blocks('srvtoolu_1', [found]))),
          call('ws_1_1', looked),
          item.message(2, [outputText('Hi.')]),
        ]),
      },
      'anthropic>gemini': { wire: searchedFor('news'), isNearest: true },
    },
  },
  {
    feature: 'Page opened by the vendor',
    forms: {
      openai: null,
      responses: response([call('ws_1', { type: 'open_page', url: page.url }), item.message(1, [outputText('Hi.')])]),
      anthropic: message([...opened('srvtoolu_1', 'It rains.'), { type: 'text', text: 'Hi.' }]),
      gemini: null,
    },
    outcomes: {
      'responses>openai': { wire: completion([choice({ content: 'Hi.' })]), reported: ['web_search_call'] },
      'responses>anthropic': {
        wire: message([...opened('srvtoolu_switchyard_ws_1', ''), { type: 'text', text: 'Hi.' }]),
        isNearest: true,
      },
      'responses>gemini': { wire: generated([candidate([{ text: 'Hi.' }])]), reported: ['web_search_call'] },
      'anthropic>openai': { wire: completion([choice({ content: 'Hi.' })]), reported: ['server_tool_use'] },
      'anthropic>responses': {
        wire: response([
          item.thought(0, '', sealedPart('anthropic', opened('srvtoolu_1', 'It rains.'))),
          call('ws_1_1', { type: 'open_page', url: page.url }),
          item.message(2, [outputText('Hi.')]),
        ]),
        isNearest: true,
      },
      'anthropic>gemini': { wire: generated([candidate([{ text: 'Hi.' }])]), reported: ['server_tool_use'] },
    },
  },
  {
    feature: 'Google search queries',
    forms: { openai: null, responses: null, anthropic: null, gemini: searchedFor('news', 'rain') },
    outcomes: {
      'gemini>openai': { wire: searching(2).openai, reported: ['groundingMetadata.webSearchQueries'] },
      'gemini>responses': {
        wire: response([
          item.message(0, [outputText('Hi.')]),
          call('ws_1_1', { type: 'search', query: 'news', queries: ['news', 'rain'] }),
        ]),
        isNearest: true,
      },
      'gemini>anthropic': {
        wire: message(
          [{ type: 'text', text: 'Hi.' }, ...blocks('srvtoolu_switchyard_1', [], { queries: ['news', 'rain'] })],
          'end_turn',
          searching(2).anthropic,
        ),
        isNearest: true,
      },
    },
  },
]
