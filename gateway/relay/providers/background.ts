import type { Provider } from './provider.ts'

/**
 * A Midjourney proxy (docs/reference/tasks.md#drawings): callers append the path for submitting or polling a drawing.
 */
export const midjourneyProxy: Provider = {
  paths: { drawing: ({ channel }) => channel.baseUrl },
  headers: ({ channel }) => ({ 'mj-api-secret': channel.key }),
}

/** Suno, through a widespread compatible API (docs/reference/tasks.md#music). */
export const sunoApi: Provider = {
  paths: { task: ({ channel }) => channel.baseUrl },
  headers: ({ channel }) => ({ authorization: `Bearer ${channel.key}` }),
}
