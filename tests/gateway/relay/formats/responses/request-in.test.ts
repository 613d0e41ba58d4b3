import { describe, expect, it } from 'vitest'
import { sealed } from '../../../../../gateway/relay/formats/signature.ts'
import { read, said } from './frames.ts'

describe('reading a Responses request', () => {
  it('reads instructions and a text input as a system and a user turn', () => {
    const { turns } = read({ model: 'gpt-5', instructions: 'Be brief.', input: 'Hi' })
    expect(turns).toEqual([said('system', 'Be brief.'), said('user', 'Hi')])
  })

  it('preserves zeros, false and empty texts', () => {
    const wire = { input: '', temperature: 0, top_p: 0, parallel_tool_calls: false, user: '', prompt_cache_key: '' }
    expect(read({ ...wire, max_output_tokens: 0, store: false })).toMatchObject({
      turns: [said('user', '')],
      temperature: 0,
      topP: 0,
      parallelToolCalls: false,
      user: '',
      cacheKey: '',
      maxOutput: 0,
      shared: { store: false },
    })
  })

  it('reads messages with images, files and sounds', () => {
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
      { type: 'input_image', image_url: 'https://a.example/cat.png' },
      { type: 'input_image', file_id: 'file-1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_file', filename: 'a.csv', file_data: 'Q0NDQw==' },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
      { type: 'input_audio', input_audio: { data: 'DDDD', format: 'mp3' } },
    ]
    expect(read({ input: [{ role: 'user', content }] }).turns[0]?.parts).toEqual([
      { type: 'text', text: 'What is this?' },
      { type: 'media', kind: 'image', source: { type: 'data', mime: 'image/png', data: 'AAAA' }, detail: 'low' },
      { type: 'media', kind: 'image', source: { type: 'url', url: 'https://a.example/cat.png' } },
      { type: 'media', kind: 'image', source: { type: 'file', id: 'file-1', of: 'responses' } },
      {
        type: 'media',
        kind: 'document',
        source: { type: 'data', mime: 'application/pdf', data: 'BBBB' },
        name: 'a.pdf',
      },
      { type: 'media', kind: 'document', source: { type: 'data', mime: 'text/csv', data: 'Q0NDQw==' }, name: 'a.csv' },
      { type: 'media', kind: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } },
      { type: 'media', kind: 'audio', source: { type: 'data', mime: 'audio/mp3', data: 'DDDD' } },
    ])
  })

  it('makes one turn of consecutive output of the model, and one of the results', () => {
    const { turns } = read({
      input: [
        { role: 'user', content: 'Weather in Paris and Rome?' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'Two calls.' }],
          encrypted_content: 'x',
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.', annotations: [] }] },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city": "Paris"}' },
        { type: 'function_call', call_id: 'call_2', name: 'weather', arguments: '' },
        { type: 'function_call_output', call_id: 'call_1', output: '20' },
        { type: 'function_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: '25' }] },
        { role: 'user', content: 'And?' },
      ],
    })
    expect(turns.map(({ role, parts }) => [role, ...parts.map(({ type }) => type)])).toEqual([
      ['user', 'text'],
      ['assistant', 'reasoning', 'text', 'tool-call', 'tool-call'],
      ['user', 'tool-result', 'tool-result'],
      ['user', 'text'],
    ])
    expect(turns[1]?.parts).toContainEqual({
      type: 'reasoning',
      text: 'Two calls.',
      signature: { by: 'responses', value: 'x', id: 'rs_1' },
    })
    expect(turns[1]?.parts).toContainEqual({
      type: 'tool-call',
      id: 'call_1',
      name: 'weather',
      arguments: '{"city": "Paris"}',
    })
  })

  it('gives foreign seals back to thoughts and calls', () => {
    const hidden = sealed({ by: 'anthropic', value: 'data', id: 'redacted' }, 'responses')
    const ofCall = sealed({ by: 'gemini', value: 'sig', id: 'call=call%3A1' }, 'responses')
    const { turns } = read({
      input: [
        { type: 'reasoning', summary: [], encrypted_content: hidden },
        { type: 'reasoning', summary: [], encrypted_content: ofCall },
        { type: 'function_call', call_id: 'call:1', name: 'f', arguments: '{}' },
      ],
    })
    expect(turns[0]?.parts).toEqual([
      { type: 'reasoning', text: '', signature: { by: 'anthropic', value: 'data' }, redacted: true },
      { type: 'tool-call', id: 'call:1', name: 'f', arguments: '{}', signature: { by: 'gemini', value: 'sig' } },
    ])
  })

  it('preserves items, tools and fields that only this dialect knows', () => {
    const search = { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'] }
    const mcp = { type: 'mcp', server_label: 'deepwiki', server_url: 'https://a.example', require_approval: 'never' }
    const conversation = read({
      input: [search],
      tools: [mcp],
      truncation: 'auto',
      reasoning: { context: 'auto' },
      tool_choice: { type: 'mcp', server_label: 'deepwiki' },
      include: ['web_search_call.action.sources'],
      stream_options: { include_obfuscation: false },
      background: null,
    })
    expect(conversation.turns[0]?.parts).toMatchObject([{ type: 'extra', of: 'responses', name: 'file_search_call' }])
    expect(conversation.tools).toEqual([{ type: 'extra', of: 'responses', name: 'mcp', value: mcp }])
    expect(conversation.extras.fields).toEqual({
      truncation: 'auto',
      tool_choice: { type: 'mcp', server_label: 'deepwiki' },
      include: ['web_search_call.action.sources'],
      'reasoning.context': 'auto',
    })
  })

  it('does not report sealed thoughts, which every answer has, as unsupported by others', () => {
    expect(read({ input: 'Hi', include: ['reasoning.encrypted_content'] }).extras.fields).toEqual({})
  })

  it('reads tools of all kinds and the tool choice', () => {
    const conversation = read({
      input: 'Hi',
      tools: [
        { type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: true },
        { type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
        {
          type: 'web_search_preview',
          search_context_size: 'low',
          user_location: { type: 'approximate', country: 'GB', city: null },
        },
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'web_search', external_web_access: false },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    })
    expect(conversation.tools).toMatchObject([
      { type: 'function', name: 'f', description: 'F', parameters: { type: 'object' }, strict: true },
      { type: 'custom', name: 'sql', format: { syntax: 'lark' } },
      { type: 'hosted', kind: 'web-search', contextSize: 'low', location: { country: 'GB' } },
      { type: 'hosted', kind: 'code-execution' },
      { type: 'extra', name: 'web_search' },
    ])
    expect(conversation.toolChoice).toEqual({ mode: 'auto', names: ['f'] })
  })

  it.each([
    [{ input: 7 }, 'input'],
    [{ input: ['Hi'] }, 'input'],
    [{ input: [{ role: 'wizard', content: 'Hi' }] }, 'input.role'],
    [{ input: [{ role: 'user', content: 7 }] }, 'input.content'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input.content.image_url'],
    [{ input: [{ type: 'function_call', name: 'f' }] }, 'input.call_id'],
    [{ input: [{ type: 'function_call_output', output: '' }] }, 'input.call_id'],
    [{ input: 'Hi', tools: [{ name: 'f' }] }, 'tools'],
    [{ input: 'Hi', temperature: 'warm' }, 'temperature'],
    [{ input: 'Hi', reasoning: { effort: 'enormous' } }, 'reasoning.effort'],
    [{ input: 'Hi', text: { format: { type: 'json_schema', name: 'x' } } }, 'text.format.schema'],
  ])('refuses %j', (wire, field) => {
    expect(() => read(wire)).toThrow(expect.objectContaining({ params: { field } }))
  })
})
