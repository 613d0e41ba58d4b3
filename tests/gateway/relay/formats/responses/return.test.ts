import { describe, expect, it } from 'vitest'
import { usageOf } from '../../../../../gateway/billing/usage.ts'
import { restoring } from '../../../../../gateway/relay/formats/client-calls.ts'
import type { AnswerEvent } from '../../../../../gateway/relay/formats/events.ts'
import { responses as plain } from '../../../../../gateway/relay/formats/responses/codec.ts'
import { takingText } from '../client-tools.ts'
import { frame, read } from './frames.ts'

const responses = restoring(plain)

const events: readonly AnswerEvent[] = [
  { type: 'reasoning', choice: 0, text: 'Two steps.', signature: { by: 'anthropic', value: 'sig:1' } },
  { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: 'omitted' } },
  { type: 'reasoning', choice: 0, text: '', signature: { by: 'anthropic', value: 'data' }, redacted: true },
  { type: 'text', choice: 0, text: 'Looking.' },
  { type: 'tool', choice: 0, call: 0, id: 'a', name: 'f', json: '{ "x": 1 }' },
  { type: 'tool', choice: 0, call: 1, id: 'b', name: 'sql', json: '{"input":"SELECT 1"}' },
  { type: 'tool', choice: 0, call: 1, signature: { by: 'gemini', value: 'late' } },
  { type: 'finish', choice: 0, reason: 'tool-calls' },
]

describe('an answer that the client sends back as input', () => {
  it('has every thought with its own seal, and every call as the model wrote it', () => {
    const clientTools = takingText('sql')
    const { output } = responses.encodeAnswer(events, frame({ clientTools }), usageOf({ prompt: 1, completion: 1 }))
    const withoutIds = (output as { id: string }[]).map(({ id: _, ...item }) => item)
    for (const input of [output, withoutIds]) {
      expect(read({ input }).turns).toEqual([
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'Two steps.', signature: { by: 'anthropic', value: 'sig:1' } },
            { type: 'reasoning', text: '', signature: { by: 'anthropic', value: 'omitted' } },
            { type: 'reasoning', text: '', signature: { by: 'anthropic', value: 'data' }, redacted: true },
            { type: 'text', text: 'Looking.' },
            { type: 'tool-call', id: 'a', name: 'f', arguments: '{ "x": 1 }' },
            {
              type: 'tool-call',
              id: 'b',
              name: 'sql',
              arguments: 'SELECT 1',
              custom: true,
              signature: { by: 'gemini', value: 'late' },
            },
          ],
        },
      ])
    }
  })
})
