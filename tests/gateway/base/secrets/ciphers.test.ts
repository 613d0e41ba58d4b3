import { describe, expect, it } from 'vitest'
import { createMemorySeal } from '../../../../gateway/base/secrets/ciphers.ts'

describe('a seal for what is in memory alone (docs/reference/cache.md#contents)', () => {
  const seal = createMemorySeal()
  const key = seal.keyOf('a secret')
  const plain = Buffer.from('what nobody else may read')

  it('opens for the secret and the place it was sealed with alone', () => {
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

  it('seals nothing twice alike', () => {
    expect(seal.seal(plain, key, 'here')).not.toEqual(seal.seal(plain, key, 'here'))
  })
})
