import { describe, expect, it } from 'vitest'
import { createMemorySeal, createVault, UnreadableSecret } from '../../../../gateway/base/secrets/ciphers.ts'

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

describe('the vault', () => {
  const vault = createVault(Buffer.alloc(32, 7))

  it.each([0, 1, 2, 3, 16, 1000, 786_431, 786_432, 786_433, 3_000_001])(
    'opens %i bytes in steps as in one',
    async (length) => {
      const plain = '好'.repeat(length / 3) + 'a'.repeat(length % 3)
      const sealed = vault.seal(plain, 'here')
      expect(vault.open(sealed, 'here')).toBe(plain)
      expect((await vault.openBytes(sealed, 'here')).toString()).toBe(plain)
      await expect(vault.openBytes(sealed, 'there')).rejects.toThrow('cannot be opened')
    },
  )

  it.each([
    ['cut', (sealed: string) => sealed.slice(0, -2)],
    ['changed', (sealed: string) => sealed.replace(/.{10}$/, 'AAAAAAAAAA')],
    ['emptied', (sealed: string) => sealed.replace(/[^.]*$/, '')],
    ['shortened', (sealed: string) => sealed.replace(/[^.]*$/, 'AAAA')],
  ])('opens nothing that was %s', async (_, damaged) => {
    const sealed = damaged(vault.seal('some text', 'here'))
    expect(() => vault.open(sealed, 'here')).toThrow(UnreadableSecret)
    await expect(vault.openBytes(sealed, 'here')).rejects.toThrow(UnreadableSecret)
  })
})
