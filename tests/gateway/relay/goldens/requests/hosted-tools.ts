import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Format } from '../../../../../gateway/relay/formats/format.ts'
import { type Outcome, pairs, type RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses, weather } from '../requests.ts'

const search = { type: 'web_search_20250305', name: 'web_search' }
const domains = ['news.example']
const location = { country: 'FR', city: 'Paris' }
const limited = { max_uses: 1, user_location: { type: 'approximate', ...location } }

/** A tool of a single vendor; for all other dialects it is reported. */
const ownTool = (feature: string, from: Format, form: Json, name: string): RequestGolden => ({
  feature,
  forms: { openai: null, responses: null, anthropic: null, gemini: null, [from]: form },
  outcomes: Object.fromEntries(
    pairs.filter((each) => each.from === from).map(({ pair }): [string, Outcome<Json>] => [pair, { reported: [name] }]),
  ),
})

/** A search and a function; the model may use either. */
const beside = {
  openai: openai({ web_search_options: {}, tools: [weather.openai], tool_choice: 'auto' }),
  responses: responses({ tools: [weather.responses, { type: 'web_search' }], tool_choice: 'auto' }),
  anthropic: anthropic({ tools: [weather.anthropic, search], tool_choice: { type: 'auto' } }),
}
const bounded = anthropic({ tools: [weather.anthropic, { ...search, max_uses: 5 }], tool_choice: { type: 'auto' } })
const boundedSearch = { 'openai>anthropic': { wire: bounded }, 'responses>anthropic': { wire: bounded } }
const functions = [{ functionDeclarations: [weather.gemini] }]
const mixed = gemini({
  tools: [...functions, { googleSearch: {} }],
  toolConfig: { includeServerSideToolInvocations: true },
})
const both = gemini({ tools: [{ googleSearch: {} }, { codeExecution: {} }] })
const TOGETHER = 'OpenAI limits the calls of all its tools together'
const interpreter = { type: 'code_interpreter', container: { type: 'auto' } }
const execution = { type: 'code_execution_20250825', name: 'code_execution' }
const chosen = (functionCallingConfig: Json) => gemini({ tools: functions, toolConfig: { functionCallingConfig } })

/** Vendor-run tools. */
export const hostedTools: readonly RequestGolden[] = [
  {
    feature: 'Web search',
    models: { openai: 'gpt-4o-search-preview' },
    forms: {
      openai: openai({ web_search_options: {} }),
      responses: responses({ tools: [{ type: 'web_search' }] }),
      anthropic: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
      gemini: gemini({ tools: [{ googleSearch: {} }] }),
    },
    outcomes: Object.fromEntries(
      ['openai', 'responses', 'gemini'].map((from) => [
        `${from}>anthropic`,
        { wire: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] }) },
      ]),
    ),
  },
  {
    feature: 'Web search (OpenAI Chat model without support)',
    forms: {
      openai: null,
      responses: responses({ tools: [{ type: 'web_search' }] }),
      anthropic: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
      gemini: gemini({ tools: [{ googleSearch: {} }] }),
    },
    outcomes: {
      'responses>openai': { reported: ['tools.web_search'] },
      'responses>anthropic': {
        wire: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] }),
      },
      'anthropic>openai': { reported: ['tools.web_search'] },
      'gemini>openai': { reported: ['tools.googleSearch'] },
      'gemini>anthropic': {
        wire: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] }),
      },
    },
  },
  {
    feature: 'Web search context size and user location',
    models: { openai: 'gpt-4o-search-preview' },
    forms: {
      openai: openai({
        web_search_options: {
          search_context_size: 'low',
          user_location: { type: 'approximate', approximate: location },
        },
      }),
      responses: responses({
        tools: [
          { type: 'web_search', search_context_size: 'low', user_location: { type: 'approximate', ...location } },
        ],
      }),
      anthropic: anthropic({ tools: [{ type: 'web_search_20250305', name: 'web_search', ...limited }] }),
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { isNearest: true },
      'responses>anthropic': { isNearest: true },
      'openai>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['web_search_options.search_context_size', 'web_search_options.user_location'],
      },
      'responses>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['tools.web_search.search_context_size', 'tools.web_search.user_location'],
      },
      'anthropic>openai': {
        wire: openai({
          web_search_options: { user_location: { type: 'approximate', approximate: location } },
        }),
        reported: ['tools.web_search.max_uses'],
      },
      'anthropic>responses': {
        wire: responses({
          tools: [{ type: 'web_search', user_location: { type: 'approximate', ...location } }],
          max_tool_calls: 1,
        }),
        isNearest: true,
      },
      'anthropic>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['tools.web_search.max_uses', 'tools.web_search.user_location'],
      },
    },
  },
  {
    feature: 'Web search usage limit',
    models: { openai: 'gpt-4o-search-preview', gemini: 'gemini-3-pro-preview' },
    forms: {
      openai: null,
      responses: responses({ tools: [weather.responses, { type: 'web_search' }], max_tool_calls: 3 }),
      anthropic: anthropic({ tools: [weather.anthropic, { ...search, max_uses: 3 }] }),
      gemini: null,
    },
    outcomes: {
      'responses>openai': {
        wire: openai({ web_search_options: {}, tools: [weather.openai] }),
        reported: ['max_tool_calls'],
      },
      'responses>anthropic': { isNearest: true },
      'responses>gemini': { wire: mixed, reported: ['max_tool_calls'] },
      'anthropic>openai': {
        wire: openai({ web_search_options: {}, tools: [weather.openai] }),
        reported: ['tools.web_search.max_uses'],
      },
      'anthropic>responses': { isNearest: true },
      'anthropic>gemini': { wire: mixed, reported: ['tools.web_search.max_uses'] },
    },
  },
  {
    feature: 'Web search usage limit with another vendor-run tool',
    models: { openai: 'gpt-4o-search-preview' },
    forms: {
      openai: null,
      responses: responses({ tools: [{ type: 'web_search' }, interpreter], max_tool_calls: 3 }),
      anthropic: anthropic({ tools: [{ ...search, max_uses: 3 }, execution] }),
      gemini: null,
    },
    outcomes: {
      'responses>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['max_tool_calls', 'tools.code_interpreter'],
      },
      'responses>anthropic': {
        wire: anthropic({ tools: [{ ...search, max_uses: 5 }, execution] }),
        reported: ['max_tool_calls'],
        impossible: TOGETHER,
      },
      'responses>gemini': { wire: both, reported: ['max_tool_calls'] },
      'anthropic>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['tools.code_execution', 'tools.web_search.max_uses'],
      },
      'anthropic>responses': {
        wire: responses({ tools: [{ type: 'web_search' }, interpreter] }),
        reported: ['tools.web_search.max_uses'],
        impossible: TOGETHER,
      },
      'anthropic>gemini': { wire: both, reported: ['tools.web_search.max_uses'] },
    },
  },
  {
    feature: 'Allowed domains for web search',
    models: { openai: 'gpt-4o-search-preview' },
    forms: {
      openai: null,
      responses: responses({ tools: [{ type: 'web_search', filters: { allowed_domains: domains } }] }),
      anthropic: anthropic({ tools: [{ ...search, allowed_domains: domains }] }),
      gemini: null,
    },
    outcomes: {
      'responses>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['tools.web_search.filters.allowed_domains'],
      },
      'responses>anthropic': { wire: anthropic({ tools: [{ ...search, max_uses: 5, allowed_domains: domains }] }) },
      'responses>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['tools.web_search.filters.allowed_domains'],
      },
      'anthropic>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['tools.web_search.allowed_domains'],
      },
      'anthropic>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['tools.web_search.allowed_domains'],
      },
    },
  },
  {
    feature: 'Blocked domains for web search',
    models: { openai: 'gpt-4o-search-preview' },
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ tools: [{ ...search, blocked_domains: domains }] }),
      gemini: gemini({ tools: [{ googleSearch: { excludeDomains: domains } }] }),
    },
    outcomes: {
      'anthropic>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['tools.web_search.blocked_domains'],
      },
      'anthropic>responses': {
        wire: responses({ tools: [{ type: 'web_search' }] }),
        reported: ['tools.web_search.blocked_domains'],
      },
      // Google's public API does not support a list of blocked domains; Vertex does.
      'anthropic>gemini': {
        wire: gemini({ tools: [{ googleSearch: {} }] }),
        reported: ['tools.web_search.blocked_domains'],
      },
      'gemini>openai': {
        wire: openai({ web_search_options: {} }),
        reported: ['tools.googleSearch.excludeDomains'],
      },
      'gemini>responses': {
        wire: responses({ tools: [{ type: 'web_search' }] }),
        reported: ['tools.googleSearch.excludeDomains'],
      },
      'gemini>anthropic': { wire: anthropic({ tools: [{ ...search, max_uses: 5, blocked_domains: domains }] }) },
    },
  },
  {
    feature: 'Code execution',
    forms: {
      openai: null,
      responses: responses({ tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }),
      anthropic: anthropic({ tools: [{ type: 'code_execution_20250825', name: 'code_execution' }] }),
      gemini: gemini({ tools: [{ codeExecution: {} }] }),
    },
    outcomes: {
      'responses>openai': { reported: ['tools.code_interpreter'] },
      'anthropic>openai': { reported: ['tools.code_execution'] },
      'gemini>openai': { reported: ['tools.codeExecution'] },
    },
  },
  {
    feature: 'Web page fetching',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }),
      gemini: gemini({ tools: [{ urlContext: {} }] }),
    },
    outcomes: {
      'anthropic>openai': { reported: ['tools.web_fetch'] },
      'anthropic>responses': { reported: ['tools.web_fetch'] },
      'gemini>openai': { reported: ['tools.urlContext'] },
      'gemini>responses': { reported: ['tools.urlContext'] },
    },
  },
  {
    feature: 'Web search and functions',
    models: { openai: 'gpt-4o-search-preview', gemini: 'gemini-3-pro-preview' },
    forms: {
      ...beside,
      gemini: gemini({
        tools: [...functions, { googleSearch: {} }],
        toolConfig: { functionCallingConfig: { mode: 'VALIDATED' }, includeServerSideToolInvocations: true },
      }),
    },
    outcomes: {
      ...boundedSearch,
      'gemini>anthropic': { wire: bounded },
    },
  },
  {
    feature: 'Web search and functions (older Gemini model)',
    models: { openai: 'gpt-4o-search-preview' },
    forms: { ...beside, gemini: null },
    outcomes: {
      ...boundedSearch,
      'openai>gemini': { wire: chosen({ mode: 'AUTO' }), reported: ['web_search_options'] },
      'responses>gemini': { wire: chosen({ mode: 'AUTO' }), reported: ['tools.web_search'] },
      'anthropic>gemini': { wire: chosen({ mode: 'AUTO' }), reported: ['tools.web_search'] },
    },
  },
  ownTool(
    'OpenAI file search',
    'responses',
    responses({ tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }),
    'tools.file_search',
  ),
  ownTool(
    'Anthropic computer use',
    'anthropic',
    anthropic({ tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: 1, display_height_px: 1 }] }),
    'tools.computer_20250124',
  ),
  ownTool('Google Maps', 'gemini', gemini({ tools: [{ googleMaps: {} }] }), 'tools.googleMaps'),
]
