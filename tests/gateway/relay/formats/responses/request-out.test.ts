import { describe, expect, it } from 'vitest'
import type { MediaPart } from '../../../../../gateway/relay/formats/conversation.ts'
import { asked, said, written } from './frames.ts'

describe('writing another dialect’s conversation as a Responses request', () => {
  it('makes the leading system turn the instructions, leaves later ones in place, and stores nothing', () => {
    const turns = [said('system', 'Be brief.'), said('user', 'Hi'), said('developer', 'Be kind.')]
    expect(written(asked({ turns }), 'gpt-4.1').body).toEqual({
      model: 'gpt-4.1',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'Be kind.' },
      ],
      store: false,
    })
  })

  it('writes calls, results and thoughts as items, and leaves foreign thoughts out', () => {
    const turns = [
      said('assistant', [
        { type: 'reasoning', text: 'Mine.', signature: { by: 'responses', value: 'enc', id: 'rs_1' } },
        { type: 'reasoning', text: 'Theirs.', signature: { by: 'anthropic', value: 'sig' } },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', id: 'toolu_1', name: 'f', arguments: '', signature: { by: 'gemini', value: 's' } },
      ]),
      said('user', [
        { type: 'tool-result', callId: 'toolu_1', content: [{ type: 'text', text: 'no' }], isError: true },
        { type: 'text', text: 'Well?' },
      ]),
    ]
    const { body, dropped } = written(asked({ turns }))
    expect(body.input).toEqual([
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Mine.' }], encrypted_content: 'enc' },
      { role: 'assistant', content: 'Looking.' },
      { type: 'function_call', call_id: 'toolu_1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'toolu_1', output: 'no' },
      { role: 'user', content: 'Well?' },
    ])
    expect(body.include).toEqual(['reasoning.encrypted_content'])
    expect(dropped).toEqual(['isError'])
  })

  it('shortens ids that are too long, in the call as in its result', () => {
    const id = `call_${'x'.repeat(80)}`
    const turns = [
      said('assistant', [{ type: 'tool-call', id, name: 'f', arguments: '{}' }]),
      said('user', [{ type: 'tool-result', callId: id, content: [] }]),
    ]
    const [call, result] = written(asked({ turns })).body.input as { call_id: string }[]
    expect(call?.call_id).toHaveLength(64)
    expect(result?.call_id).toBe(call?.call_id)
  })

  it('knows the result of a custom tool by its call', () => {
    const turns = [
      said('assistant', [{ type: 'tool-call', id: 'call_1', name: 'sql', arguments: 'SELECT 1', custom: true }]),
      said('user', [{ type: 'tool-result', callId: 'call_1', content: [{ type: 'text', text: '1' }] }]),
    ]
    expect(written(asked({ turns })).body.input).toEqual([
      { type: 'custom_tool_call', call_id: 'call_1', name: 'sql', input: 'SELECT 1' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: '1' },
    ])
  })

  it('marks functions as not strict, since strict is the default here', () => {
    const { body } = written(asked({ tools: [{ type: 'function', name: 'f' }] }))
    expect(body.tools).toMatchObject([{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }])
  })

  it('reports fields without an equivalent', () => {
    const { dropped } = written(
      asked({
        topK: 5,
        frequencyPenalty: 0,
        presencePenalty: 0,
        seed: 0,
        stop: ['x'],
        temperature: 0.5,
        tools: [
          { type: 'hosted', kind: 'url-context' },
          { type: 'extra', of: 'anthropic', name: 'bash_20250124', value: {} },
        ],
        turns: [{ ...said('user', [{ type: 'text', text: 'Hi', cache: {} }]), name: 'Ann' }],
        extras: { from: 'anthropic', fields: { container: 'x' } },
      }),
    )
    expect(dropped.sort()).toEqual(
      [
        ...['cache', 'container', 'frequencyPenalty', 'name', 'presencePenalty', 'seed', 'stop', 'temperature'],
        ...['tools.bash_20250124', 'tools.url-context', 'topK'],
      ].sort(),
    )
  })

  const media = (kind: MediaPart['kind'], source: MediaPart['source']) =>
    asked({ turns: [said('user', [{ type: 'media', kind, source }])] })

  it.each([
    ['several answers', asked({ choices: 2 }), 'choices'],
    ['pictures', asked({ modalities: ['text', 'image'] }), 'modalities'],
    ['films', media('video', { type: 'data', mime: 'video/mp4', data: '' }), 'video'],
    ['another vendor’s files', media('image', { type: 'file', id: 'f', of: 'anthropic' }), 'file'],
  ])('refuses %s', (_, conversation, field) => {
    expect(() => written(conversation)).toThrow(
      expect.objectContaining({ key: 'relay.cannotConvert', params: { field, target: 'OpenAI Responses' } }),
    )
  })

  it('names files, which OpenAI wants, and writes text documents as text', () => {
    const turns = [
      said('user', [
        { type: 'media', kind: 'document', source: { type: 'data', mime: 'application/pdf', data: 'AAAA' } },
        { type: 'media', kind: 'document', source: { type: 'text', text: 'Dear all' }, name: 'Letter' },
      ]),
    ]
    expect(written(asked({ turns })).body.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,AAAA' },
          { type: 'input_text', text: 'Letter\n\nDear all' },
        ],
      },
    ])
  })

  it('shows the model the pictures it made as the user’s', () => {
    const source = { type: 'data', mime: 'image/png', data: 'AAAA' } as const
    const turns = [
      said('assistant', [
        { type: 'text', text: 'A cat.' },
        { type: 'media', kind: 'image', source },
      ]),
    ]
    expect(written(asked({ turns })).body.input).toEqual([
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] },
    ])
  })

  it.each([
    ['gpt-5', { budget: 1024 }, { effort: 'low' }, []],
    ['gpt-5', { budget: 10_000, show: true }, { effort: 'medium', summary: 'auto' }, []],
    ['gpt-5', { budget: 31_999 }, { effort: 'high' }, []],
    ['gpt-5', { mode: 'adaptive', effort: 'max' }, { effort: 'high' }, []],
    ['gpt-5.2', { mode: 'adaptive', effort: 'max' }, { effort: 'xhigh' }, []],
    ['gpt-5.1', { mode: 'off' }, { effort: 'none' }, []],
    ['gpt-5', { mode: 'off' }, { effort: 'minimal' }, ['reasoning']],
    ['o3', { effort: 'minimal' }, { effort: 'low' }, []],
    ['gpt-4o', { mode: 'on', budget: 2000 }, undefined, ['reasoning']],
    ['gpt-4o', { mode: 'off' }, undefined, []],
    ['some-model', { mode: 'adaptive' }, { effort: 'medium' }, []],
  ] as const)('sets thinking for %s as requested: %j', (model, reasoning, wire, reported) => {
    const { body, dropped } = written(asked({ reasoning }), model)
    expect(body.reasoning).toEqual(wire)
    expect(dropped).toEqual(reported)
  })

  it('raises limits that OpenAI would refuse', () => {
    expect(written(asked({ maxOutput: 1 })).body.max_output_tokens).toBe(16)
  })
})
