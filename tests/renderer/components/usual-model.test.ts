import { describe, expect, it } from 'vitest'
import { usualModelOf } from '../../../renderer/components/usual-model.ts'

describe('the model that a page begins with', () => {
  it.each([
    [['dall-e-3', 'gpt-4o', 'gpt-4o-mini'], 'gpt-4o-mini'],
    [['dall-e-3', 'text-embedding-3-small', 'deepseek-chat'], 'deepseek-chat'],
    [['dall-e-3'], 'dall-e-3'],
    [[], undefined],
  ])('of %j: %s', (models, model) => {
    expect(usualModelOf(models)).toBe(model)
  })
})
