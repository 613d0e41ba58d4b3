/** A file that goes with a message; it stays in the browser until the message is sent. */
export type Attachment = Readonly<{
  id: string
  name: string
  /** Its media type. */
  type: string
  /** Bytes. */
  size: number
  /** A data URL; of a text, the text itself. */
  data: string
}>

/** How a file is sent: a picture, a document in its own format, or words among those of the message. */
type AttachmentKind = 'image' | 'document' | 'text'

/** The most that one file may have, in bytes (docs/reference/screens.md#playground). */
export const maxFileBytes = 10 * 1024 * 1024

/** The most that the files of one message may have together, in bytes. */
export const maxTotalBytes = 20 * 1024 * 1024

/** The most that a file sent as text may have, in bytes. */
export const maxTextBytes = 1024 * 1024

/** What the dialog for choosing files offers; whatever reads as text is taken, too. */
export const offeredTypes =
  'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.json,.md,.csv,.log,.yaml,.yml'

const images = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** How a file of this type is sent; of any other type than pictures and PDF it is text, if it is that. */
export function attachmentKind(type: string): AttachmentKind {
  if (images.has(type)) return 'image'
  return type === 'application/pdf' ? 'document' : 'text'
}

/** One part of a message in the dialect of the playground, OpenAI Chat. */
export type ContentPart =
  | Readonly<{ type: 'text'; text: string }>
  | Readonly<{ type: 'image_url'; image_url: Readonly<{ url: string }> }>
  | Readonly<{ type: 'file'; file: Readonly<{ filename: string; file_data: string }> }>

/** What is sent of a message: its words alone where there is nothing else, as every model takes them. */
export function contentOf(text: string, attachments: readonly Attachment[] = []): string | readonly ContentPart[] {
  if (attachments.length === 0) return text
  const words: readonly ContentPart[] = text === '' ? [] : [{ type: 'text', text }]
  return [...words, ...attachments.map(partOf)]
}

function partOf({ name, type, data }: Attachment): ContentPart {
  const kind = attachmentKind(type)
  if (kind === 'image') return { type: 'image_url', image_url: { url: data } }
  if (kind === 'document') return { type: 'file', file: { filename: name, file_data: data } }
  return { type: 'text', text: fenced(name, data) }
}

/** A text between marks that it does not contain itself. */
function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${name}\n${fence}\n${text}\n${fence}`
}
