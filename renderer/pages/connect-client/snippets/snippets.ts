import { agentSnippets } from './agents.ts'
import { curlSnippets } from './curl.ts'
import { libreChatSnippets, moreAgentSnippets } from './more-agents.ts'
import { sdkSnippets } from './sdks.ts'
import type { Snippet } from './snippet.ts'
import { zedSnippets } from './zed.ts'

/** Examples for the API formats the relay serves (gateway/relay/intake/relay-routes.ts). */
export const snippets: readonly Snippet[] = [
  ...agentSnippets,
  ...moreAgentSnippets,
  ...zedSnippets,
  ...curlSnippets,
  ...sdkSnippets,
  ...libreChatSnippets,
]

export const programs: ReadonlyMap<string, readonly Snippet[]> = Map.groupBy(snippets, ({ program }) => program)
