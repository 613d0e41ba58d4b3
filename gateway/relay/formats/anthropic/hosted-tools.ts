import type { HostedTool } from '../conversation.ts'

/** The hosted tools under the versions that are written; each later version takes the same members. */
export const hostedTypes = {
  'web-search': { type: 'web_search_20250305', name: 'web_search' },
  'code-execution': { type: 'code_execution_20250825', name: 'code_execution' },
  'url-context': { type: 'web_fetch_20250910', name: 'web_fetch' },
} as const satisfies Record<HostedTool['kind'], Readonly<{ type: string; name: string }>>

/** The kind of hosted tool that a wire type of any version names. */
export function hostedKind(type: string): HostedTool['kind'] | undefined {
  const name = type.replace(/_\d{8}$/, '')
  if (name === hostedTypes['web-search'].name) return 'web-search'
  if (name === hostedTypes['code-execution'].name) return 'code-execution'
  return name === hostedTypes['url-context'].name ? 'url-context' : undefined
}
