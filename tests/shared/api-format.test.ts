import { describe, expect, it } from 'vitest'
import { providerFor } from '../../gateway/relay/providers/index.ts'
import { apiFormatChoice, hasApiFormats } from '../../shared/api-format.ts'
import { channelTypeNames, channelTypes } from '../../shared/channel-types.ts'

describe('the choice of an API format (docs/reference/conversion.md#chat-or-responses)', () => {
  it.each(channelTypeNames)('is there for %s where its vendor has both', (name) => {
    const { apiFormatOf, paths } = providerFor(name) ?? { paths: {} }
    expect(hasApiFormats(channelTypes[name].id)).toBe(apiFormatOf !== undefined)
    expect('chat' in paths && 'responses' in paths).toBe(apiFormatOf !== undefined)
  })

  it('is one of three', () => {
    expect(['auto', 'chat', 'responses', 'both', '', 7, null, undefined].map(apiFormatChoice)).toEqual([
      'auto',
      'chat',
      'responses',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
