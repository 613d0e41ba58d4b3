import { toolsIn } from '../../../../../gateway/relay/formats/anthropic/tools-in.ts'
import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { Tool } from '../../../../../gateway/relay/formats/conversation.ts'
import { readTools } from '../../../../../gateway/relay/formats/responses/tools-in.ts'

/** Tools built into one vendor's models, as declared to all others. The texts come from the gateway's decoders. */
const read: readonly Tool[] = [
  ...readTools([{ type: 'local_shell' }, { type: 'shell' }, { type: 'apply_patch' }]),
  ...toolsIn([
    { type: 'bash_20250124', name: 'bash' },
    { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    { type: 'memory_20250818', name: 'memory' },
  ]),
]

type Names = 'local_shell' | 'shell' | 'apply_patch' | 'bash' | 'str_replace_based_edit_tool' | 'memory'

/** The functions by name. */
export const ownFunctions = Object.fromEntries(
  read.flatMap((tool) => {
    if (tool.type !== 'function') return []
    const { name, description = '', parameters = {} } = tool
    return [[name, { name, description, parameters }]]
  }),
) as Readonly<Record<Names, Readonly<{ name: string; description: string; parameters: Json }>>> // each name is declared above
