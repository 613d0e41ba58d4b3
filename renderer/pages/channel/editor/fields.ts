import type { Draft } from './draft.ts'

export type FieldsProps = Readonly<{
  draft: Draft
  errorOf: (field: keyof Draft) => string | undefined
  onChange: (change: Partial<Draft>) => void
}>
