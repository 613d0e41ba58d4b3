import type { Target } from './snippets/snippet.ts'

/** The agents that CC Switch manages, with its names for them, and whether they need `/v1` in their base URL. */
export const switchedAgents = [
  { app: 'claude', name: 'Claude Code', ending: '' },
  { app: 'codex', name: 'Codex', ending: '/v1' },
  { app: 'gemini', name: 'Gemini CLI', ending: '' },
] as const

/** The link by which CC Switch imports a provider for one of its agents ("ccswitch://v1/import" in its manual). */
export function ccSwitchLink(
  { address, key, model }: Target,
  { app, ending }: (typeof switchedAgents)[number],
): string {
  const fields = {
    resource: 'provider',
    app,
    name: 'Switchyard',
    homepage: address,
    endpoint: address + ending,
    apiKey: key,
    model,
  }
  return `ccswitch://v1/import?${new URLSearchParams(fields)}`
}

/**
 * The link by which Cherry Studio imports a provider ("cherrystudio://providers/api-keys" in its documentation): `data`
 * is a JSON object in Base64. The JSON is ASCII only and padded to a multiple of three bytes, so that the Base64 has no
 * characters with a meaning in URLs.
 */
export function cherryStudioLink({ address, key }: Target): string {
  const text = JSON.stringify({ id: 'switchyard', name: 'Switchyard', type: 'openai', baseUrl: address, apiKey: key })
  const plain = text.replace(
    /[^\x20-\x7d]|[?>]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `cherrystudio://providers/api-keys?v=1&data=${btoa(plain + ' '.repeat((3 - (plain.length % 3)) % 3))}`
}
