/** A file attached to a message; it stays in the browser until the message is sent. */
export type Attachment = Readonly<{
  id: string
  name: string
  type: string
  size: number
  /** A data URL; for text files, the text itself. */
  data: string
}>

/** How a file is sent: as an image, a document, or text in the message. */
type AttachmentKind = 'image' | 'document' | 'text'

/** Maximum bytes per file, and of all files of a message (docs/reference/screens.md#playground). */
export const maxFileBytes = 10 * 1024 * 1024

export const maxTotalBytes = 20 * 1024 * 1024

/** Maximum bytes of a file sent as text. */
export const maxTextBytes = 1024 * 1024

/** Types offered in the file picker; any other file that is text is accepted, too. */
export const offeredTypes =
  'image/png,image/jpeg,image/webp,image/gif,application/pdf,text/*,.json,.md,.csv,.log,.yaml,.yml'

const images = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** How a file type is sent: anything but images and PDF is tried as text. */
export function attachmentKind(type: string): AttachmentKind {
  if (images.has(type)) return 'image'
  return type === 'application/pdf' ? 'document' : 'text'
}

/** A content part in OpenAI's Chat format. */
export type ContentPart =
  | Readonly<{ type: 'text'; text: string }>
  | Readonly<{ type: 'image_url'; image_url: Readonly<{ url: string }> }>
  | Readonly<{ type: 'file'; file: Readonly<{ filename: string; file_data: string }> }>

/** A message's content: a plain string without attachments, which every model accepts. */
export function contentOf(text: string, attachments: readonly Attachment[] = []): string | readonly ContentPart[] {
  if (attachments.length === 0) return text
  const textParts: readonly ContentPart[] = text === '' ? [] : [{ type: 'text', text }]
  return [...textParts, ...attachments.map(partOf)]
}

function partOf({ name, type, data }: Attachment): ContentPart {
  const kind = attachmentKind(type)
  if (kind === 'image') return { type: 'image_url', image_url: { url: data } }
  if (kind === 'document') return { type: 'file', file: { filename: name, file_data: data } }
  return { type: 'text', text: fenced(name, data) }
}

/** Wraps a text in a fence that it does not contain. */
function fenced(name: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${name}\n${fence}\n${text}\n${fence}`
}
