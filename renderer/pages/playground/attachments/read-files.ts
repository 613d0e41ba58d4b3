import { randomId } from '../../../api/random-id.ts'
import { type Attachment, attachmentKind, maxFileBytes, maxTextBytes, maxTotalBytes } from './attachment.ts'

export type FileProblem = Readonly<{ name: string; reason: 'tooLarge' | 'tooMuch' | 'unsupported' | 'unreadable' }>

export type ReadFiles = Readonly<{ attachments: readonly Attachment[]; problems: readonly FileProblem[] }>

/** Reads files for a message with existing attachments; reports rejected files. */
export async function readFiles(files: readonly File[], present: readonly Attachment[]): Promise<ReadFiles> {
  const attachments: Attachment[] = []
  const problems: FileProblem[] = []
  let together = present.reduce((sum, { size }) => sum + size, 0)
  // Sequential, to limit memory use.
  for (const file of files) {
    const read = together + file.size > maxTotalBytes ? 'tooMuch' : await readFile(file)
    if (typeof read === 'string') {
      problems.push({ name: file.name, reason: read })
      continue
    }
    together += read.size
    attachments.push(read)
  }
  return { attachments, problems }
}

async function readFile(file: File): Promise<Attachment | FileProblem['reason']> {
  const { name, size } = file
  const type = file.type || 'text/plain'
  const kind = attachmentKind(type)
  if (kind === 'text' && /^(image|audio|video|font)\//.test(type)) return 'unsupported'
  if (size > (kind === 'text' ? maxTextBytes : maxFileBytes)) return 'tooLarge'
  try {
    const bytes = await file.arrayBuffer()
    const data = kind === 'text' ? textIn(bytes) : await dataUrl(new Blob([bytes], { type }))
    return data === undefined ? 'unsupported' : { id: randomId(), name, type, size, data }
  } catch {
    return 'unreadable'
  }
}

/** Decodes bytes as text; undefined if they are not UTF-8 or contain NUL. */
function textIn(bytes: ArrayBuffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
