import type { JSX } from 'react'

/** An entry of the command palette. */
export type Command = Readonly<{
  id: string
  text: string
  icon: JSX.Element
  /** The command's context; also searched. */
  about?: string
  keywords?: string
  /** One of many commands that are shown only during a search. */
  isSearchOnly?: true
  run: () => void
}>
