import { describe, expect, it } from 'vitest'
import { again } from './frames.ts'

const question = { role: 'user', content: 'What is the weather like in Boston today?' }
const weather = {
  type: 'function',
  function: {
    name: 'get_current_weather',
    description: 'Get the current weather in a given location',
    parameters: {
      type: 'object',
      properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['location'],
    },
    strict: true,
  },
}
const call = {
  id: 'call_abc123',
  type: 'function',
  function: { name: 'get_current_weather', arguments: '{"location": "Boston, MA"}' },
}

/** Requests from the vendor's reference, and requests as its clients send them. */
const documented: Record<string, Record<string, unknown>> = {
  'a plain question with instructions': {
    model: 'gpt-5.1',
    messages: [
      { role: 'developer', content: 'You are a helpful assistant.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: 'Hello!' },
      { role: 'assistant', content: 'Hi.', name: 'bot' },
      { role: 'user', content: '' },
    ],
  },
  'every number, zero and false among them': {
    model: 'gpt-4o',
    messages: [question],
    temperature: 0,
    top_p: 0,
    frequency_penalty: 0,
    presence_penalty: -1.5,
    seed: 0,
    n: 2,
    max_completion_tokens: 100,
    stop: ['a', 'b'],
    logprobs: false,
    top_logprobs: 0,
    logit_bias: { '50256': -100 },
    parallel_tool_calls: false,
    user: '',
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
    safety_identifier: 's',
    service_tier: 'flex',
    store: false,
    metadata: { a: 'b' },
    verbosity: 'low',
    reasoning_effort: 'none',
    prediction: { type: 'content', content: 'x' },
    something_new: { a: [0, '', false] },
  },
  'one stop text': { model: 'gpt-4o', messages: [question], stop: '\n' },
  'no stop text': { model: 'gpt-4o', messages: [question], stop: [] },
  'images by address and inline': {
    model: 'gpt-4o',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is in these?' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.jpg', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } },
        ],
      },
    ],
  },
  'sound and files': {
    model: 'gpt-4o-audio-preview',
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
          { type: 'file', file: { file_id: 'file-6F2ksmvXxt4VdoqmHRw6kL' } },
        ],
      },
      { role: 'assistant', content: null, audio: { id: 'audio_abc' } },
      { role: 'user', content: 'Again.' },
    ],
  },
  'function calls and what came of them': {
    model: 'gpt-4o',
    messages: [
      question,
      { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_abc123', content: '22 °C' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'assistant', content: '', tool_calls: [{ ...call, id: 'call_3' }] },
      { role: 'tool', tool_call_id: 'call_3', content: '{"a":1}' },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [weather, { type: 'function', function: { name: 'none' } }],
    tool_choice: 'auto',
  },
  'a forced function': {
    model: 'gpt-4o',
    messages: [question],
    tools: [weather],
    tool_choice: { type: 'function', function: { name: 'get_current_weather' } },
  },
  'allowed tools': {
    model: 'gpt-5',
    messages: [question],
    tools: [weather, { type: 'custom', custom: { name: 'run', description: 'Runs', format: { type: 'text' } } }],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'auto',
        tools: [
          { type: 'function', function: { name: 'get_current_weather' } },
          { type: 'custom', custom: { name: 'run' } },
        ],
      },
    },
  },
  'custom tools': {
    model: 'gpt-5',
    messages: [
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls -l' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'total 0' },
    ],
    tools: [
      {
        type: 'custom',
        custom: { name: 'run', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } } },
      },
    ],
    tool_choice: { type: 'custom', custom: { name: 'run' } },
  },
  'a refusal': {
    model: 'gpt-4o',
    messages: [
      question,
      { role: 'assistant', content: null, refusal: 'I am sorry.' },
      { role: 'user', content: 'Why?' },
    ],
  },
  'structured output': {
    model: 'gpt-4o',
    messages: [question],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', description: 'd', schema: { type: 'object', properties: {} }, strict: true },
    },
  },
  'JSON of any shape': { model: 'gpt-4o', messages: [question], response_format: { type: 'json_object' } },
  'web search': {
    model: 'gpt-4o-search-preview',
    messages: [question],
    web_search_options: {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { country: 'GB', city: 'London', region: 'London' } },
    },
  },
  'web search with nothing said': { model: 'gpt-4o-search-preview', messages: [question], web_search_options: {} },
  'a stream': { model: 'gpt-4o', messages: [question], stream: true, stream_options: { include_usage: true } },
}

/** Extensions of the dialect by other vendors. */
const vendors: Record<string, Record<string, unknown>> = {
  'top_k, thinking and unknown members': {
    model: 'glm-4.6',
    messages: [question, { role: 'assistant', content: '{', prefix: true }],
    top_k: 0,
    max_tokens: 5,
    thinking: { type: 'disabled' },
    repetition_penalty: 1,
  },
  'thoughts that are sent back': {
    model: 'deepseek-reasoner',
    messages: [
      question,
      { role: 'assistant', reasoning_content: 'Let me see.', content: 'It rains.' },
      { role: 'user', content: 'And now?' },
    ],
    reasoning_effort: 'high',
  },
  'a film': {
    model: 'qwen-vl-max',
    messages: [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }] }],
  },
  'a part of an unknown type': {
    model: 'qwen-vl-max',
    messages: [{ role: 'user', content: [{ type: 'video', video: ['https://example.com/1.jpg'], fps: 2 }] }],
    enable_thinking: false,
  },
  'a pictured answer': {
    model: 'gemini-2.5-flash-image',
    messages: [
      question,
      { role: 'assistant', content: 'Here: ![image](data:image/png;base64,iVBORw0=) and ![no](x)' },
      { role: 'user', content: 'Larger' },
    ],
  },
  "Google's seal on a call": {
    model: 'gemini-3-pro-preview',
    messages: [
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'c2ln' } } }],
      },
      { role: 'tool', tool_call_id: call.id, content: 'ok' },
    ],
    tools: [weather],
  },
}

describe('a request that is read and written again in the same dialect', () => {
  it.each(Object.entries(documented))('is unchanged: %s', (_, wire) => {
    expect(again(wire)).toEqual(wire)
  })

  it.each(Object.entries(vendors))('is unchanged, for other vendors of the dialect: %s', (_, wire) => {
    expect(again(wire, { strictOpenai: false })).toEqual(wire)
  })

  it('preserves cache marks and sealed thoughts where the upstream accepts them', () => {
    const wire = {
      model: 'anthropic/claude-sonnet-4.5',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
        { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] },
        {
          role: 'assistant',
          content: 'Yes',
          reasoning_details: [
            { type: 'reasoning.text', text: 'Hm', signature: 's1', index: 0 },
            { type: 'reasoning.encrypted', data: 'xyz', index: 1, id: 'r1' },
          ],
        },
        { role: 'user', content: 'Go on' },
      ],
      tools: [{ ...weather, cache_control: { type: 'ephemeral' } }],
      reasoning: { max_tokens: 2000, exclude: true },
    }
    expect(again(wire, { strictOpenai: false, cacheMarks: true })).toEqual(wire)
  })
})
