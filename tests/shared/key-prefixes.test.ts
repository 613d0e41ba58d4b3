import { describe, expect, it } from 'vitest'
import { vendorOfKey } from '../../shared/key-prefixes.ts'

describe('the vendor a key shows', () => {
  it.each([
    ['sk-ant-api03-x', 'anthropic'],
    ['sk-or-v1-x', 'openrouter'],
    ['sk-proj-x', 'openai'],
    [' AIzaSyX ', 'gemini'],
    ['xai-x', 'xai'],
    ['gsk_x', 'openai'],
  ])('of %s is %s', (key, name) => expect(vendorOfKey(key)?.name).toBe(name))

  it('has its address where the type has another', () => {
    expect(vendorOfKey('gsk_x')).toMatchObject({ label: 'Groq', address: expect.stringMatching(/^https:/) })
    expect(vendorOfKey('xai-x')?.address).toBe('')
  })

  it('is unknown for an ambiguous key', () => {
    for (const key of ['', 'sk-abc', 'hello']) expect(vendorOfKey(key)).toBeUndefined()
  })
})
