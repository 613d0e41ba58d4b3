import type { JSX } from 'react'

export type Command = Readonly<{
  id: string
  text: string
  icon: JSX.Element
  /** The command's context; also searched. */
  about?: string
  keywords?: string
  /** Shown only during a search, because there are many of its kind. */
  isSearchOnly?: true
  run: () => void
}>
