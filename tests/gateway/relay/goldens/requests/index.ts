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
  'Schemas of tools': schemas,
  'Tools that clients run': clientTools,
  'Tools of the vendor': hostedTools,
  'Shape of the answer': shapes,
  Thinking: [...thinking, ...thoughts],
  'User, keeping and caching': accounts,
  'What vendors limit': limits,
  'Fields of one vendor': ownFields,
}
