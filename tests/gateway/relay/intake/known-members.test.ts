import { describe, expect, it } from 'vitest'
import { withheldMembers } from '../../../../gateway/relay/adaptation/vendor-edits.ts'
import { saidMembers } from '../../../../gateway/relay/content-filter/prompt-texts.ts'
import { disguisedMember } from '../../../../gateway/relay/intake/known-members.ts'

describe('members that are read somewhere (docs/reference/security.md#money)', () => {
  it.each([...new Set([...withheldMembers, ...saidMembers])])('are known by one spelling only: %s', (name) => {
    expect(disguisedMember([name])).toBeUndefined()
    expect(disguisedMember([name.toUpperCase()])).toBe(name.toUpperCase())
  })
})
