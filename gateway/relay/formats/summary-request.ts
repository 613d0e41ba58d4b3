import type { Conversation } from './conversation.ts'

/**
 * Appends the instruction to summarize, for vendors without summaries
 * (docs/reference/conversion.md#summaries). Tools stay declared, since calls in the conversation refer
 * to them, but none may be called.
 */
export function summaryRequest(conversation: Conversation): Conversation {
  const { output: _, toolChoice: __, parallelToolCalls: ___, ...rest } = conversation
  const instruction = { role: 'user', parts: [{ type: 'text', text: INSTRUCTION }] } as const
  return {
    ...rest,
    ...(conversation.tools.length > 0 ? { toolChoice: { mode: 'none' } } : {}),
    turns: [...conversation.turns, instruction],
  }
}

const INSTRUCTION = `Stop here and write a summary of this conversation. It will stand in the place of everything above, and \
whoever goes on with the work will know nothing else of it. Leave nothing out that is needed to go on:
- what the user wants, in their own words where those matter, and what they have ruled out;
- what has been done and decided, with names of files, functions, commands, addresses and values as they are;
- what was found out, errors and their causes included;
- where the work stands, and what is to be done next.
Write the summary alone, without an introduction, and call no tools.`
