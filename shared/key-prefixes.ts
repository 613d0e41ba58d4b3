import type { ChannelTypeName } from './channel-types.ts'

/**
 * How the keys of vendors begin, the longest beginnings first: a pasted key proposes its vendor. A bare `sk-` proves
 * nothing, for half of the vendors copy it, so it proposes nobody.
 */
const prefixes: readonly (readonly [prefix: string, vendor: ChannelTypeName])[] = [
  ['sk-ant-', 'anthropic'],
  ['sk-or-', 'openrouter'],
  ['sk-proj-', 'openai'],
  ['sk-svcacct-', 'openai'],
  ['sk-admin-', 'openai'],
  ['AIza', 'gemini'],
  ['xai-', 'xai'],
  ['pplx-', 'perplexity'],
  ['app-', 'dify'],
  ['pat_', 'coze'],
  ['jina_', 'jina'],
  ['fastgpt-', 'fastgpt'],
  ['bce-v3/', 'baidu-v2'],
]

/** Vendors that have no type of their own and are reached through `custom` or `openai` with their address. */
const addresses: readonly (readonly [prefix: string, address: string])[] = [['gsk_', 'https://api.groq.com/openai']]

/** The vendor a key shows by its beginning, with its address where the type has another; undefined where none can be told. */
export function vendorOfKey(key: string): Readonly<{ name: ChannelTypeName; address: string }> | undefined {
  const text = key.trim()
  const name = prefixes.find(([prefix]) => text.startsWith(prefix))?.[1]
  if (name) return { name, address: '' }
  const address = addresses.find(([prefix]) => text.startsWith(prefix))?.[1]
  return address === undefined ? undefined : { name: 'openai', address }
}
