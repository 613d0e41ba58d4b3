import { describe, expect, it } from 'vitest'
import { anthropic } from '../../../../../gateway/relay/formats/anthropic/codec.ts'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import { targetOf } from './conversation.ts'

/** The result of decoding and encoding a request for the same model. */
function rewritten(request: Json) {
  const model = String(request.model)
  const { target, dropped } = targetOf(model)
  const wire = anthropic.encodeRequest(anthropic.decodeRequest(request, model, request.stream === true), target)
  return { wire, dropped: [...dropped] }
}

const weather = {
  name: 'get_weather',
  description: 'Get the current weather in a given location',
  input_schema: {
    type: 'object',
    properties: { location: { type: 'string', description: 'The city and state' } },
    required: ['location'],
  },
}

const documented: Record<string, Json> = {
  'one question': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    messages: [{ role: 'user', content: 'Hello, Claude' }],
  },
  'several turns with the beginning of an answer': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1,
    messages: [
      { role: 'user', content: 'What is latin for Ant? (A) Apoidea, (B) Rhopalocera, (C) Formicidae' },
      { role: 'assistant', content: 'The answer is (' },
    ],
  },
  'sampling, stops and the user, zeros kept': {
    model: 'claude-sonnet-4-5',
    max_tokens: 0,
    temperature: 0,
    top_k: 0,
    stop_sequences: [],
    system: 'Be brief.',
    metadata: { user_id: '13803d75-b4b5-4c3e-b2a2-6f21399b021b' },
    service_tier: 'standard_only',
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  },
  'pictures by data, address and file': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/4AAQ' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/ant.jpg' } },
          { type: 'image', source: { type: 'file', file_id: 'file_abc' } },
          { type: 'text', text: 'What is in these images?' },
        ],
      },
    ],
  },
  'documents with titles, context and citations': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'The grass is green. The sky is blue.' },
            title: 'My Document',
            context: 'This is a trustworthy document.',
            citations: { enabled: true },
          },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
          {
            type: 'document',
            source: { type: 'url', url: 'https://example.com/a.pdf' },
            cache_control: { type: 'ephemeral' },
          },
          {
            type: 'document',
            source: { type: 'content', content: [{ type: 'text', text: 'First chunk' }] },
            title: 'Chunks',
          },
          { type: 'text', text: 'What color is the grass and sky?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          {
            type: 'text',
            text: 'the grass is green',
            citations: [
              {
                type: 'char_location',
                cited_text: 'The grass is green.',
                document_index: 0,
                start_char_index: 0,
                end_char_index: 20,
              },
            ],
          },
        ],
      },
      { role: 'user', content: 'Thanks' },
    ],
  },
  'a cached system prompt and cached tools': {
    model: 'claude-opus-4-1',
    max_tokens: 1024,
    cache_control: { type: 'ephemeral' },
    tools: [weather, { ...weather, name: 'get_time', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    system: [
      { type: 'text', text: 'You analyse literary works.' },
      { type: 'text', text: 'The entire text of a book', cache_control: { type: 'ephemeral', ttl: '5m' } },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Its themes?', cache_control: { type: 'ephemeral' } }] },
    ],
  },
  'a tool that was called and answered': {
    model: 'claude-opus-4-1',
    max_tokens: 1024,
    tools: [weather],
    tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
    messages: [
      { role: 'user', content: 'What is the weather like in San Francisco?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: "I'll check." },
          { type: 'tool_use', id: 'toolu_01A', name: 'get_weather', input: { location: 'San Francisco, CA' } },
          { type: 'tool_use', id: 'toolu_01B', name: 'get_weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_01A', content: '15 degrees' },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_01B',
            is_error: true,
            content: [
              { type: 'text', text: 'No location' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0K' } },
            ],
          },
          { type: 'text', text: 'And tomorrow?' },
        ],
      },
    ],
  },
  'search results given by a tool': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    tools: [weather],
    messages: [
      { role: 'user', content: 'Search' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_01A', name: 'get_weather', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_01A',
            content: [
              {
                type: 'search_result',
                source: 'https://docs.example.com',
                title: 'Guide',
                content: [{ type: 'text', text: 'To configure it...' }],
                citations: { enabled: true },
              },
            ],
          },
        ],
      },
    ],
  },
  'thinking with a budget, its thoughts sent back': {
    model: 'claude-sonnet-4-5',
    max_tokens: 16000,
    thinking: { type: 'enabled', budget_tokens: 10000 },
    tools: [weather],
    messages: [
      { role: 'user', content: 'Paris?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'The user wants weather.', signature: 'EqQBCgIYAhIM' },
          { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3p' },
          { type: 'tool_use', id: 'toolu_01A', name: 'get_weather', input: { location: 'Paris' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01A', content: '20' }] },
    ],
  },
  'adaptive thinking with an effort and a schema': {
    model: 'claude-opus-4-7',
    max_tokens: 16000,
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: {
      effort: 'xhigh',
      task_budget: { type: 'tokens', total: 64000 },
      format: { type: 'json_schema', schema: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } } },
    },
    messages: [{ role: 'user', content: 'Hi' }],
  },
  'thinking switched off, and an effort alone': {
    model: 'claude-opus-4-5',
    max_tokens: 100,
    thinking: { type: 'disabled' },
    output_config: { effort: 'low' },
    messages: [{ role: 'user', content: 'Hi' }],
  },
  'tools of the vendor, in any version': {
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    tools: [
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 3,
        allowed_domains: ['example.com'],
        user_location: { type: 'approximate', city: 'San Francisco', country: 'US', timezone: 'America/Los_Angeles' },
        cache_control: { type: 'ephemeral' },
      },
      { type: 'web_search_20260209', name: 'web_search', blocked_domains: ['example.org'] },
      {
        type: 'web_fetch_20250910',
        name: 'web_fetch',
        max_uses: 2,
        citations: { enabled: true },
        max_content_tokens: 9,
      },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'mcp_toolset', mcp_server_name: 'files' },
      { ...weather, strict: true, defer_loading: true, input_examples: [{ location: 'Paris' }] },
    ],
    mcp_servers: [{ type: 'url', url: 'https://example.com/sse', name: 'files' }],
    container: { skills: [{ type: 'anthropic', skill_id: 'pptx', version: 'latest' }] },
    messages: [
      { role: 'user', content: 'Search' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'ants' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'text', text: 'Ants.' },
        ],
      },
      { role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] },
    ],
  },
  'instructions between messages': {
    model: 'claude-opus-4-8',
    max_tokens: 1024,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Go on' },
      { role: 'system', content: 'The user has left the room.' },
    ],
  },
  'fields of tomorrow': {
    model: 'claude-opus-4-8',
    max_tokens: 1024,
    thinking: { type: 'between_tools' },
    speed: 'fast',
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    messages: [{ role: 'user', content: 'Hi' }],
  },
}

describe('a request that is read and written in the same dialect', () => {
  for (const [what, request] of Object.entries(documented))
    it(`is unchanged: ${what}`, () => {
      const { wire, dropped } = rewritten(request)
      expect(wire).toEqual(request)
      expect(dropped).toEqual([])
    })
})
