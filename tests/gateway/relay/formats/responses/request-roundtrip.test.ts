import { describe, expect, it } from 'vitest'
import { read, written } from './frames.ts'

const weather = {
  type: 'function',
  name: 'get_current_weather',
  description: 'Get the current weather in a given location',
  parameters: {
    type: 'object',
    properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    required: ['location', 'unit'],
    additionalProperties: false,
  },
  strict: true,
}

/** Requests from OpenAI's reference and guides. */
const documented = {
  'a text': { model: 'gpt-4.1', input: 'Tell me a three sentence bedtime story about a unicorn.' },
  'instructions and a stream': {
    model: 'gpt-4.1',
    instructions: 'You are a helpful assistant.',
    input: 'Hello!',
    stream: true,
  },
  'an image': {
    model: 'gpt-4.1',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what is in this image?' },
          { type: 'input_image', image_url: 'https://a.example/boardwalk.jpg', detail: 'high' },
        ],
      },
    ],
  },
  'a file': {
    model: 'gpt-4.1',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'what is in this file?' },
          { type: 'input_file', file_url: 'https://a.example/letter.pdf' },
          { type: 'input_file', file_id: 'file-6F2ksmvXxt4VdoqmHRw6kL' },
          { type: 'input_file', filename: 'draconomicon.pdf', file_data: 'data:application/pdf;base64,AAAA' },
        ],
      },
    ],
  },
  'a web search': {
    model: 'gpt-5',
    tools: [
      {
        type: 'web_search',
        search_context_size: 'low',
        user_location: { type: 'approximate', country: 'GB', city: 'London', region: 'London' },
        filters: { allowed_domains: ['pubmed.ncbi.nlm.nih.gov'] },
      },
    ],
    input: 'What was a positive news story from today?',
    tool_choice: 'auto',
  },
  'a file search': {
    model: 'gpt-4.1',
    tools: [{ type: 'file_search', vector_store_ids: ['vs_1234567890'], max_num_results: 20 }],
    input: 'What are the attributes of an ancient brown dragon?',
    include: ['file_search_call.results'],
  },
  functions: {
    model: 'gpt-4.1',
    input: 'What is the weather like in Boston today?',
    tools: [weather],
    tool_choice: 'required',
  },
  'calls and results': {
    model: 'gpt-5',
    store: false,
    include: ['reasoning.encrypted_content'],
    input: [
      { role: 'user', content: 'What is the weather like in Paris today?' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Look it up.' }],
        encrypted_content: 'gAAAAABo',
      },
      { type: 'function_call', call_id: 'call_1', name: 'get_current_weather', arguments: '{"location":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_1', output: '15' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'a map' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
    ],
    tools: [weather],
  },
  'custom tools': {
    model: 'gpt-5',
    input: [
      { role: 'user', content: 'Use code_exec to print hello world.' },
      { type: 'custom_tool_call', call_id: 'call_1', name: 'code_exec', input: 'print("hello world")' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'hello world' },
    ],
    tools: [{ type: 'custom', name: 'code_exec', description: 'Executes arbitrary Python code.' }],
    tool_choice: { type: 'custom', name: 'code_exec' },
  },
  reasoning: { model: 'o3-mini', input: 'How much wood?', reasoning: { effort: 'high', summary: 'auto' } },
  'a schema': {
    model: 'gpt-4o',
    input: [
      { role: 'developer', content: 'You are an expert at structured data extraction.' },
      { role: 'user', content: 'Alice and Bob are going to a fair.' },
    ],
    text: {
      format: {
        type: 'json_schema',
        name: 'event',
        schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        strict: true,
      },
      verbosity: 'low',
    },
  },
  'everything at the top': {
    model: 'gpt-5.1',
    input: 'Hi',
    background: false,
    conversation: 'conv_1',
    max_output_tokens: 0,
    max_tool_calls: 3,
    metadata: { topic: 'demo' },
    parallel_tool_calls: false,
    previous_response_id: 'resp_1',
    prompt: { id: 'pmpt_1', version: '2' },
    prompt_cache_key: 'key',
    prompt_cache_retention: '24h',
    reasoning: { effort: 'none', context: 'auto' },
    safety_identifier: 'user-1',
    service_tier: 'flex',
    store: true,
    temperature: 0,
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'get_current_weather' }] },
    tools: [weather],
    top_logprobs: 5,
    top_p: 0,
    truncation: 'auto',
    user: 'user-1',
    something_new: { from: 'tomorrow' },
  },
  'items that only this dialect knows': {
    model: 'gpt-5',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Go on', prompt_cache_breakpoint: { mode: 'explicit' } }] },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'news' } },
      { role: 'assistant', content: 'Here it is.' },
      { type: 'item_reference', id: 'msg_1' },
      { type: 'mcp_approval_response', approve: true, approval_request_id: 'mcpr_1' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'And this' },
          { type: 'input_hologram', data: 'AAAA' },
        ],
      },
    ],
    tools: [{ type: 'mcp', server_label: 'deepwiki', server_url: 'https://a.example/mcp', require_approval: 'never' }],
  },
}

describe('a Responses request that is read and written again', () => {
  it.each(Object.entries(documented))('is the same: %s', (_, wire) => {
    const { body, dropped } = written(read(wire), wire.model)
    expect(body).toEqual(wire)
    expect(dropped).toEqual([])
  })
})
