import { useRef, useState } from 'react'
import type { Attachment } from './attachments/attachment.ts'
import type { FileProblem, ReadFiles } from './attachments/read-files.ts'

export type Draft = Readonly<{ text: string; attachments: readonly Attachment[] }>

export type Drafting = Readonly<{
  draft: Draft
  problems: readonly FileProblem[]
  isReading: boolean
  write: (change: Partial<Draft>) => void
  attach: (files: readonly File[]) => void
}>

const nothing: Draft = { text: '', attachments: [] }

/** A draft, initially empty. The file reader is loaded when the first file is attached. */
export function useDraft(): Drafting {
  const [draft, setDraft] = useState(nothing)
  const [problems, setProblems] = useState<readonly FileProblem[]>([])
  const [unread, setUnread] = useState(0)
  const latest = useRef(nothing)
  const last = useRef(Promise.resolve())
  const change = (part: Partial<Draft>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
  }
  const read = async (files: readonly File[]) => {
    const found = await import('./attachments/read-files.ts')
      .then(({ readFiles }) => readFiles(files, latest.current.attachments))
      .catch(
        (): ReadFiles => ({ attachments: [], problems: files.map(({ name }) => ({ name, reason: 'unreadable' })) }),
      )
    setProblems(found.problems)
    change({ attachments: [...latest.current.attachments, ...found.attachments] })
  }
  return {
    draft,
    problems,
    isReading: unread > 0,
    attach(files) {
      if (files.length === 0) return
      setUnread((count) => count + 1)
      // Sequential, so that the total size includes files being read.
      last.current = last.current.then(() => read(files)).finally(() => setUnread((count) => count - 1))
    },
    write(next) {
      setProblems([])
      change(next)
    },
  }
}
