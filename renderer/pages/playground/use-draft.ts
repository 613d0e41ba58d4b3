import { useState } from 'react'
import type { Attachment } from './attachments/attachment.ts'
import type { FileProblem } from './attachments/read-files.ts'

/** What was written and not yet sent. */
export type Draft = Readonly<{ text: string; attachments: readonly Attachment[] }>

/** The place where a message is written. */
export type Drafting = Readonly<{
  draft: Draft
  /** Files that were not taken the last time. */
  problems: readonly FileProblem[]
  write: (change: Partial<Draft>) => void
  /** Reads files and puts them to the message. */
  attach: (files: readonly File[]) => void
}>

const nothing: Draft = { text: '', attachments: [] }

/** A draft, empty at first. What reads files is loaded when the first one is attached. */
export function useDraft(): Drafting {
  const [draft, change] = useState(nothing)
  const [problems, setProblems] = useState<readonly FileProblem[]>([])
  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return
    const { readFiles } = await import('./attachments/read-files.ts')
    const read = await readFiles(files, draft.attachments)
    setProblems(read.problems)
    change((now) => ({ ...now, attachments: [...now.attachments, ...read.attachments] }))
  }
  return {
    draft,
    problems,
    attach: (files) => void attach(files),
    write(next) {
      setProblems([])
      change((now) => ({ ...now, ...next }))
    },
  }
}
