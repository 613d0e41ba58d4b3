import type { ConnectClient } from '../client.ts'

/**
 * Programs whose settings no other program should write: in a database, behind a screen, on a server, or in the
 * environment.
 */
export const elsewhere: readonly ConnectClient[] = [
  { id: 'cherry', name: 'Cherry Studio', dialect: 'chat', link: 'link' },
  { id: 'open-webui', name: 'Open WebUI', dialect: 'chat', link: 'environment' },
  { id: 'lobechat', name: 'LobeChat', dialect: 'chat', link: 'environment' },
  { id: 'librechat', name: 'LibreChat', dialect: 'chat', link: 'screen' },
  { id: 'n8n', name: 'n8n', dialect: 'chat', link: 'screen' },
  { id: 'cline', name: 'Cline, Roo Code', dialect: 'chat', link: 'screen' },
  { id: 'cursor', name: 'Cursor', dialect: 'chat', link: 'screen' },
  { id: 'openai-sdk', name: 'OpenAI SDK', dialect: 'chat', link: 'environment' },
  { id: 'anthropic-sdk', name: 'Anthropic SDK', dialect: 'anthropic', link: 'environment' },
  { id: 'gemini-sdk', name: 'Gemini SDK', dialect: 'gemini', link: 'environment' },
]
