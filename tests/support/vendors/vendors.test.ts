import { describe, expect, it } from 'vitest'
import type { Recorded } from '../upstream.ts'
import { type FamilyName, families } from './families.ts'

/** Violations that a family's vendor finds in a request. */
function faultsOf(family: FamilyName, path: string, json: object, headers: object = {}): readonly string[] {
  const given = {
    authorization: 'Bearer key',
    'x-api-key': 'key',
    'x-goog-api-key': 'key',
    'anthropic-version': '2023-06-01',
  }
  const text = JSON.stringify(json)
  const asked: Recorded = {
    method: 'POST',
    path,
    headers: { ...given, ...headers },
    rawHeaders: [],
    bytes: Buffer.from(text),
    text,
    json,
    aborted: Promise.resolve(false),
  }
  return families[family].vendorOf(asked).faults(asked)
}

const chat = (more: object) => ({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }], ...more })
const response = (more: object) => ({ model: 'gpt-5.5', input: 'Hello', ...more })
const message = (more: object) => ({ max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...more })
const content = (more: object) => ({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...more })
const GEMINI = '/v1beta/models/gemini-2.5-pro:generateContent'
const BEDROCK = '/model/claude-sonnet-4-6/invoke'
const SIGNED = { authorization: 'AWS4-HMAC-SHA256 Credential=key' }
const hosted = (more: object) => message({ anthropic_version: 'bedrock-2023-05-31', ...more })
const tool = (parameters: object) => [{ type: 'function', function: { name: 'look', parameters } }]
const declared = (parameters: object) => [{ functionDeclarations: [{ name: 'look', parameters }] }]

describe('vendors of the tests', () => {
  it.each([
    ['openai-chat', '/v1/chat/completions', chat({ tools: tool({ type: 'object' }) })],
    ['openai-responses', '/v1/responses', response({ reasoning: { effort: 'low' }, store: false })],
    ['anthropic', '/v1/messages?beta=true', message({ model: 'claude-opus-4-8', thinking: { type: 'adaptive' } })],
    ['gemini', GEMINI, content({ tools: declared({ type: 'OBJECT', properties: { a: { type: 'STRING' } } }) })],
    ['deepseek', '/v1/chat/completions', chat({ unknown: true })],
    ['ollama', '/v1/chat/completions', chat({ unknown: true })],
  ] as const)('accept the requests of their references: %s', (family, path, json) => {
    expect(faultsOf(family, path, json)).toEqual([])
  })

  it('accept the requests of their references: bedrock', () => {
    expect(faultsOf('bedrock', BEDROCK, hosted({ anthropic_beta: ['context-1m-2025-08-07'] }), SIGNED)).toEqual([])
  })

  it.each([
    ['openai-chat', '/v1/chat/completions', chat({ unknown: true }), /Unrecognized key/],
    ['openai-chat', '/v1/chat/completions', chat({ user: 'x'.repeat(65) }), /user: Too big/],
    ['openai-chat', '/v1/chat/completions', chat({ tools: tool({ type: 'object', anyOf: [] }) }), /at its root/],
    ['openai-chat', '/v1/chat/completions', chat({ model: 'gpt-5', max_tokens: 5 }), /max_tokens is not supported/],
    ['openai-responses', '/v1/responses', response({ max_output_tokens: 1 }), /max_output_tokens/],
    ['openai-responses', '/v1/responses', response({ temperature: 0 }), /temperature is not supported/],
    [
      'anthropic',
      '/v1/messages',
      message({ model: 'm', messages: [{ role: 'assistant', content: 'I' }] }),
      /first turn/,
    ],
    ['anthropic', '/v1/messages', message({ model: 'm', temperature: 2 }), /temperature/],
    [
      'gemini',
      GEMINI,
      content({ tools: declared({ type: 'OBJECT', properties: { a: {} } }) }),
      /type must be specified/,
    ],
    ['gemini', GEMINI, content({ tools: declared({ type: 'OBJECT', $schema: 'x' }) }), /Unrecognized key/],
    ['gemini', GEMINI, { contents: [{ role: 'user', parts: [{}] }] }, /oneof field data/],
    ['deepseek', '/v1/chat/completions', chat({ messages: [{ role: 'developer', content: 'Be brief' }] }), /developer/],
    ['ollama', '/v1/responses', chat({}), /no such path/],
  ] as const)('refuse unsupported requests: %s', (family, path, json, fault) => {
    expect(faultsOf(family, path, json).join('\n')).toMatch(fault)
  })

  it('refuse unsupported requests: bedrock', () => {
    const faults = (more: object) => faultsOf('bedrock', BEDROCK, hosted(more), SIGNED).join('\n')
    expect(faults({ anthropic_beta: ['claude-code-20250219'] })).toMatch(/invalid beta flag/)
    expect(faults({ model: 'claude-sonnet-4-6' })).toMatch(/Unrecognized key: "model"/)
  })

  it('know which parameters they silently ignore', () => {
    const json = chat({ unknown: true })
    expect(families.ollama.vendorOf().leavesAside?.({ json } as Recorded)).toEqual(['unknown']) // only the body is read
  })
})
