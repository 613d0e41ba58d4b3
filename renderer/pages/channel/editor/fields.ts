import type { Draft } from './draft.ts'

/** What every part of the form is given: the draft, what to say about its fields, and how to change it. */
export type FieldsProps = Readonly<{
  draft: Draft
  /** The problem of a field in words. */
  errorOf: (field: keyof Draft) => string | undefined
  onChange: (change: Partial<Draft>) => void
}>
