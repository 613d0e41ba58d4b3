import type { RequestGolden } from '../golden.ts'
import { accounts } from './accounts.ts'
import { clientTools } from './client-tools.ts'
import { conversations } from './conversations.ts'
import { customTools } from './custom-tools.ts'
import { files } from './files.ts'
import { histories } from './histories.ts'
import { hostedTools } from './hosted-tools.ts'
import { limits } from './limits.ts'
import { ownFields } from './own-fields.ts'
import { sampling } from './sampling.ts'
import { schemas } from './schemas.ts'
import { shapes } from './shapes.ts'
import { summaries } from './summaries.ts'
import { thinking } from './thinking.ts'
import { thoughts } from './thoughts.ts'
import { tools } from './tools.ts'

export const requestGoldens: Readonly<Record<string, readonly RequestGolden[]>> = {
  Conversation: [...conversations, ...histories, ...summaries],
  Files: files,
  Sampling: sampling,
  Tools: [...tools, ...customTools],
  'Tool schemas': schemas,
  'Client-run tools': clientTools,
  'Vendor-run tools': hostedTools,
  'Output format': shapes,
  Reasoning: [...thinking, ...thoughts],
  'User, storage and caching': accounts,
  'Vendor limits': limits,
  'Vendor-specific and unknown fields': ownFields,
}
