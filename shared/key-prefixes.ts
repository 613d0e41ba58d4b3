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
const addresses: readonly (readonly [prefix: string, label: string, address: string])[] = [
  ['gsk_', 'Groq', 'https://api.groq.com/openai'],
]

/** The vendor that a key shows: its type, and what that type does not say, which is a name and an address of its own. */
type VendorOfKey = Readonly<{ name: ChannelTypeName; label?: string; address: string }>

/** The vendor a key shows by its beginning; undefined where none can be told. */
export function vendorOfKey(key: string): VendorOfKey | undefined {
  const text = key.trim()
  const name = prefixes.find(([prefix]) => text.startsWith(prefix))?.[1]
  if (name) return { name, address: '' }
  const found = addresses.find(([prefix]) => text.startsWith(prefix))
  return found && { name: 'openai', label: found[1], address: found[2] }
}
