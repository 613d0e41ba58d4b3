import { describe, expect, it } from 'vitest'
import { createMemorySeal } from '../../../../gateway/base/secrets/ciphers.ts'

describe('a seal for data that exists only in memory (docs/reference/cache.md#contents)', () => {
  const seal = createMemorySeal()
  const key = seal.keyOf('a secret')
  const plain = Buffer.from('what nobody else may read')

  it('opens only with the secret and the context it was sealed with', () => {
    const sealed = seal.seal(plain, key, 'here')
    expect(sealed.includes('nobody')).toBe(false)
    expect(seal.open(sealed, seal.keyOf('a secret'), 'here')).toEqual(plain)
    expect(seal.open(sealed, seal.keyOf('another'), 'here')).toBeUndefined()
    expect(seal.open(sealed, key, 'there')).toBeUndefined()
    expect(seal.open(sealed, createMemorySeal().keyOf('a secret'), 'here')).toBeUndefined()
    const damaged = Buffer.from(sealed)
    damaged.writeUInt8(damaged.readUInt8(14) ^ 1, 14)
    expect(seal.open(damaged, key, 'here')).toBeUndefined()
  })

  it('never seals the same text to the same bytes', () => {
    expect(seal.seal(plain, key, 'here')).not.toEqual(seal.seal(plain, key, 'here'))
  })
})
