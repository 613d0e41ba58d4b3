import { saveFile } from '../../../components/save-file.ts'
import type { Translate } from '../../../translation.ts'
import { contentOf } from '../attachments/attachment.ts'
import type { Entry, Message } from '../conversation.ts'
import { type StoredConversation, titleOf } from './stored-conversation.ts'

export type ExportFormat = 'markdown' | 'json'

export function exportConversation(conversation: StoredConversation, format: ExportFormat, t: Translate): void {
  const isMarkdown = format === 'markdown'
  const text = isMarkdown ? asMarkdown(conversation, t) : asJson(conversation)
  const name = `${fileName(titleOf(conversation)) || 'conversation'}.${isMarkdown ? 'md' : 'json'}`
  saveFile(text, name, isMarkdown ? 'text/markdown' : 'application/json')
}

/** Replaces with spaces the characters that some systems do not allow. */
const fileName = (title: string): string => title.replace(/[\p{Cc}\\/:*?"<>|.]+/gu, ' ').trim()

const messagesIn = (entries: readonly Entry[]): readonly Message[] =>
  entries.flatMap((entry) => (entry.kind === 'message' ? [entry] : []))

/** For people: messages under the names of the models, files by name. */
function asMarkdown(conversation: StoredConversation, t: Translate): string {
  const lanes = conversation.lanes.map((entries) =>
    messagesIn(entries)
      .map(({ role, text, asked: settings, attachments = [] }) => {
        const files = attachments.map(({ name }) => `- ${name}`).join('\n')
        return [`## ${role === 'user' ? t('play.you') : (settings?.model ?? t('play.model'))}`, text, files]
          .filter(Boolean)
          .join('\n\n')
      })
      .join('\n\n'),
  )
  return `# ${titleOf(conversation)}\n\n${lanes.join('\n\n---\n\n')}\n`
}

/** For programs: messages as sent, with each answer's settings, tokens and cost (quota). */
function asJson(conversation: StoredConversation): string {
  const { changedAt, lanes } = conversation
  const conversations = lanes.map((entries) =>
    messagesIn(entries).map(
      ({ role, text, reasoning, attachments, asked: settings, state, spent, timing, requestId }) => ({
        role,
        content: contentOf(text, attachments),
        ...(reasoning ? { reasoning_content: reasoning } : {}),
        ...(role === 'assistant'
          ? {
              state,
              request_id: requestId,
              model: settings?.model,
              group: settings?.group,
              temperature: settings?.temperature,
              top_p: settings?.topP,
              frequency_penalty: settings?.frequencyPenalty,
              presence_penalty: settings?.presencePenalty,
              max_tokens: settings?.maxTokens || undefined,
              system: settings?.system,
              usage: spent && { prompt_tokens: spent.prompt, completion_tokens: spent.completion, quota: spent.quota },
              first_token_ms: spent?.firstMs ?? timing?.firstMs,
              duration_ms: timing?.totalMs,
            }
          : {}),
      }),
    ),
  )
  const title = titleOf(conversation)
  return `${JSON.stringify({ title, changed_at: new Date(changedAt).toISOString(), conversations }, undefined, 2)}\n`
}
