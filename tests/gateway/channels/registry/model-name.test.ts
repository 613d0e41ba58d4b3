import { describe, expect, it } from 'vitest'
import { mappedModel, wildcardOf } from '../../../../gateway/channels/registry/model-name.ts'

describe('the wildcard of a model', () => {
  it.each([
    ['gpt-4-gizmo-abc', 'gpt-4-gizmo-*'],
    ['gpt-4o-gizmo-abc', 'gpt-4o-gizmo-*'],
    ['gemini-2.5-pro-thinking-1024', 'gemini-2.5-pro-thinking-*'],
    ['gemini-2.5-pro-thinking', undefined],
    ['gpt-4', undefined],
  ])('of %s is %s', (model, wildcard) => {
    expect(wildcardOf(model)).toBe(wildcard)
  })
})

describe('a model mapping', () => {
  const mapping = new Map(Object.entries({ a: 'b', b: 'c', self: 'self', into: 'self', x: 'y', y: 'z', z: 'x' }))

  it('is followed to its end', () => {
    expect(mappedModel('a', mapping)).toBe('c')
    expect(mappedModel('other', mapping)).toBe('other')
    expect(mappedModel('a', null)).toBe('a')
  })

  it('ends where a name maps to itself', () => {
    expect(mappedModel('self', mapping)).toBe('self')
    expect(mappedModel('into', mapping)).toBe('self')
  })

  it('refuses a circle', () => {
    expect(() => mappedModel('x', mapping)).toThrow(expect.objectContaining({ code: 'model_mapping_contains_cycle' }))
  })
})
