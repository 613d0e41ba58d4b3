import { describe, expect, it } from 'vitest'
import { activeChannel } from '../../gateway/channels/registry/active-channel.ts'
import { providerFor } from '../../gateway/relay/providers/index.ts'
import { gatewayCallDefaults } from '../../gateway/relay/providers/provider.ts'
import { upstreamEndpointFor } from '../../gateway/relay/upstream/upstream-endpoint.ts'
import { channelAddress } from '../../shared/channel-address.ts'
import { channelTypeNames, channelTypes } from '../../shared/channel-types.ts'

type Case = Readonly<{ type: number; typed: string; flaw: string | null; base: string }>

const cases: Record<string, Case> = {
  'an address that needs nothing': { type: 1, typed: 'https://a.test', flaw: null, base: 'https://a.test' },
  'slashes at its end': { type: 1, typed: 'https://a.test//', flaw: null, base: 'https://a.test' },
  'a doubled /v1': { type: 1, typed: 'https://a.test/v1/', flaw: 'doubled', base: 'https://a.test' },
  'a pasted URL of a call': { type: 1, typed: 'https://a.test/v1/responses', flaw: 'doubled', base: 'https://a.test' },
  'a path before the /v1': { type: 1, typed: 'https://a.test/api/v1', flaw: 'doubled', base: 'https://a.test/api' },
  'a path that only looks alike': { type: 1, typed: 'https://a.test/av1', flaw: null, base: 'https://a.test/av1' },
  "the vendor's own path": {
    type: 26,
    typed: 'https://a.test/api/paas/v4',
    flaw: 'doubled',
    base: 'https://a.test',
  },
  'a /v1 the vendor does not have': { type: 27, typed: 'https://a.test/v1', flaw: 'doubled', base: 'https://a.test' },
  'a vendor without its path': {
    type: 20,
    typed: 'https://openrouter.ai',
    flaw: 'missing',
    base: 'https://openrouter.ai/api',
  },
  'no address at all': { type: 1, typed: ' ', flaw: null, base: '' },
  'what is no address': { type: 1, typed: 'a.test/v1', flaw: 'invalid', base: 'a.test/v1' },
  'a whole URL that stops at the host': {
    type: 8,
    typed: 'https://a.test',
    flaw: 'missing',
    base: 'https://a.test/v1/chat/completions',
  },
  'a whole URL that stops at /v1': {
    type: 8,
    typed: 'https://a.test/v1',
    flaw: 'missing',
    base: 'https://a.test/v1/chat/completions',
  },
  'a whole URL': { type: 8, typed: 'https://a.test/{model}/run', flaw: null, base: 'https://a.test/{model}/run' },
}

describe('the address of a channel (docs/reference/design.md#first-five-minutes)', () => {
  for (const [name, { type, typed, flaw, base }] of Object.entries(cases)) {
    it(`mends ${name}`, () => {
      expect(channelAddress({ type, base_url: typed })).toMatchObject({ flaw, base })
      expect(channelAddress({ type, base_url: base }).base).toBe(base)
    })
  }

  it.each([
    [15, 'ERNIE-4.0-8K', '', '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro'],
    [18, 'SparkDesk-v3.5', 'v3.1', '/v3.5/chat'],
    [18, 'SparkDesk', 'v3.1', '/v3.1/chat'],
    [18, 'SparkDesk', '', '/v1.1/chat'],
  ])('type %i: knows where %s is', (type, model, other, path) => {
    expect(channelAddress({ type, base_url: 'https://a.test', other, model }).url).toBe(`https://a.test${path}`)
  })

  it.each(channelTypeNames.filter((name) => providerFor(name)))('%s: shows the URL that the relay uses', (name) => {
    const { id } = channelTypes[name]
    for (const base_url of [channelTypes[name].baseUrl || 'https://a.test', 'https://gateway.ai.cloudflare.com/x/y']) {
      const { base, url } = channelAddress({ type: id, base_url, other: 'some/where', model: 'm/1' })
      expect(url).toBe(relayUrl(id, base))
    }
  })
})

/** The relay's URL for a chat, or for an embedding if there is no chat. */
function relayUrl(type: number, base_url: string): string | undefined {
  const texts = { key: '', openai_organization: '', model_mapping: '', status_code_mapping: '', setting: '' }
  const numbers = { id: 1, status: 1, max_input_tokens: 0, auto_ban: 1, priority: 0, weight: 0, created_time: 0 }
  const tested = { test_time: 0, response_time: 0, test_code: '', test_status: 0, test_message: '' } as const
  const unused = { ...tested, balance: 0, balance_updated_time: 0, used_quota: 0, other_info: '' }
  const rest = { name: 'a', param_override: '', test_model: '', models: 'm', group: 'default', tag: null }
  const row = { ...texts, ...numbers, ...unused, ...rest, type, base_url, other: 'some/where' }
  const channel = activeChannel(row, { open: (text) => text })
  const provider = providerFor(channel.typeName)
  const target = { channel, model: 'm/1', stream: false, ...gatewayCallDefaults }
  const { drawing, task } = provider?.paths ?? {}
  if (drawing) return `${drawing({ ...target, endpoint: 'drawing' })}/mj/submit/imagine`
  if (task) return `${task({ ...target, endpoint: 'task' })}/suno/submit/MUSIC`
  const endpoint = upstreamEndpointFor(provider, 'chat', 'm/1') ?? 'embeddings'
  if (provider?.supports?.(endpoint, 'm/1') === false) return ''
  return provider?.paths[endpoint]?.({ ...target, endpoint })
}
