import type { Provider } from './provider.ts'

/**
 * A Midjourney proxy (docs/reference/tasks.md#drawings): what a drawing is asked for by is added to the address by whoever
 * submits it or asks after it.
 */
export const midjourneyProxy: Provider = {
  paths: { drawing: ({ channel }) => channel.baseUrl },
  headers: ({ channel }) => ({ 'mj-api-secret': channel.key }),
}

/** Suno, behind the API that clients of the family know (docs/reference/tasks.md#music). */
export const sunoApi: Provider = {
  paths: { task: ({ channel }) => channel.baseUrl },
  headers: ({ channel }) => ({ authorization: `Bearer ${channel.key}` }),
}
