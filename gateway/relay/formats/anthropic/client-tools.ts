import { numberIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { FunctionTool } from '../conversation.ts'
import { cacheIn } from './cache-mark.ts'

/** The equivalent, for other vendors, of a client-run tool that only this vendor's models know. */
type OwnTool = Readonly<{ description: string; parameters: Json }>

const text = (description: string) => ({ type: 'string', description })
const path = text('The path of the file or folder.')
const range = {
  type: 'array',
  items: { type: 'integer' },
  description: 'Of a view: the first and the last line to show, counted from 1; -1 is the end.',
}

const BASH: OwnTool = {
  description: "Runs a command in a shell on the user's machine that keeps its state between calls.",
  parameters: {
    type: 'object',
    properties: {
      command: text('The command to run; not needed where the shell is restarted.'),
      restart: { type: 'boolean', description: 'True to start the shell anew.' },
    },
  },
}

const commandsOf = (commands: readonly string[], members: Json): Json => ({
  type: 'object',
  properties: { command: { type: 'string', enum: commands }, ...members },
  required: ['command'],
})

const EDITS = {
  file_text: text('Of create: what the file is to hold.'),
  old_str: text('Of str_replace: the text to be replaced, which must stand there exactly once.'),
  new_str: text('Of str_replace: the text in its place.'),
  insert_line: { type: 'integer', description: 'Of insert: the line after which the text goes; 0 is the beginning.' },
}

const editor = (commands: readonly string[], inserted: string): OwnTool => ({
  description: 'Views, creates and edits text files.',
  parameters: commandsOf(commands, {
    path,
    view_range: range,
    ...EDITS,
    [inserted]: text('Of insert: the text to insert.'),
  }),
})

const EDITS_OF_4 = ['view', 'create', 'str_replace', 'insert']

const MEMORY: OwnTool = {
  description: 'Keeps notes for later conversations as files in the folder /memories. Look there before work begins.',
  parameters: commandsOf(['view', 'create', 'str_replace', 'insert', 'delete', 'rename'], {
    path: text('The path of the file or folder, below /memories.'),
    view_range: range,
    ...EDITS,
    insert_text: text('Of insert: the text to insert.'),
    old_path: text('Of rename: the path so far.'),
    new_path: text('Of rename: the new path.'),
  }),
}

/**
 * The tools by the types of each version, newest last (Anthropic's documentation, "Bash tool", "Text editor tool",
 * "Memory tool"). Unlisted versions are treated as the newest of their kind.
 */
const ownTools: readonly (readonly [type: RegExp, tool: OwnTool])[] = [
  [/^bash_\d{8}$/, BASH],
  [/^text_editor_(20241022|20250124)$/, editor([...EDITS_OF_4, 'undo_edit'], 'new_str')],
  [/^text_editor_20250429$/, editor(EDITS_OF_4, 'new_str')],
  [/^text_editor_\d{8}$/, editor(EDITS_OF_4, 'insert_text')],
  [/^memory_\d{8}$/, MEMORY],
]

export function ownToolIn(tool: Json, type: string): FunctionTool | undefined {
  const known = ownTools.find(([pattern]) => pattern.test(type))?.[1]
  const name = textIn(tool.name)
  if (!known || name === undefined) return undefined
  const max = numberIn(tool.max_characters)
  const limit = max === undefined ? '' : ` A view shows at most ${max} characters.`
  return {
    type: 'function',
    name,
    description: known.description + limit,
    parameters: known.parameters,
    ...cacheIn(tool),
    original: { of: 'anthropic', value: tool },
  }
}

export const OWN_MEMBERS: ReadonlySet<string> = new Set(['type', 'name', 'cache_control', 'max_characters'])
