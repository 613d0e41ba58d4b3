import type { ChannelTypeName } from './channel-types.ts'

/**
 * Key prefixes of vendors, none of which begins with another: a pasted key selects its vendor. A bare `sk-` selects
 * none, because many vendors use it.
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

/** Vendors without their own type, reached through `openai` with their address. */
const addresses: readonly (readonly [prefix: string, label: string, address: string])[] = [
  ['gsk_', 'Groq', 'https://api.groq.com/openai'],
]

/**
 * The vendor indicated by a key: the type's name, and for a vendor in `addresses` its label and address; the address is
 * empty for the others.
 */
type VendorOfKey = Readonly<{ name: ChannelTypeName; label?: string; address: string }>

/** The vendor indicated by a key's prefix; undefined if unknown. */
export function vendorOfKey(key: string): VendorOfKey | undefined {
  const text = key.trim()
  const name = prefixes.find(([prefix]) => text.startsWith(prefix))?.[1]
  if (name) return { name, address: '' }
  const found = addresses.find(([prefix]) => text.startsWith(prefix))
  return found && { name: 'openai', label: found[1], address: found[2] }
}
