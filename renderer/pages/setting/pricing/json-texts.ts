import { useMemo, useState } from 'react'
import type { OptionKey } from '../../../../shared/options/index.ts'
import { problemIn } from '../../../components/json-field/json-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { problemOf } from './json-position.ts'
import type { OptionTexts, Writer } from './option-texts.ts'
import { type Edits, editsBetween } from './three-way.ts'

type JsonTexts<T> = Readonly<{
  shown(key: OptionKey): string
  type(key: OptionKey, text: string): void
  /** The problem of a parsable text, with line and column. */
  problem(key: OptionKey, text: string): string | undefined
  /** Whether any text is invalid; called before saving, since long texts take a while. */
  isWrong(): boolean
  isDirty: boolean
  edits(): Edits<T>
  clear(): void
}>

/** A writer's options as JSON texts; input overrides the stored text, and remembers the text it was based on. */
export function useJsonTexts<T>(writer: Writer<T>, stored: OptionTexts): JsonTexts<T> {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<ReadonlyMap<OptionKey, Typed>>(new Map())
  const indentedTexts = useMemo(
    () => new Map(writer.keys.map((key) => [key, indented(stored[key] ?? '')])),
    [writer, stored],
  )
  const shown = (key: OptionKey) => typed.get(key)?.text ?? indentedTexts.get(key) ?? ''
  const problem = (key: OptionKey, text: string) => {
    const found = problemOf(key, text)
    return found && t('priceEditor.at', { problem: t(found.key, found.params), line: found.line, column: found.column })
  }
  const isWrongIn = ([key, { text }]: readonly [OptionKey, Typed]) =>
    problemIn(text, t, (_, whole) => problem(key, whole)) !== undefined
  const over = (part: keyof Typed): OptionTexts => ({
    ...stored,
    ...Object.fromEntries(Array.from(typed, ([key, one]) => [key, one[part]])),
  })
  return {
    shown,
    problem,
    type: (key, text) => {
      const base = typed.get(key)?.base ?? stored[key] ?? ''
      const next = new Map(typed)
      if (text === indented(base)) next.delete(key)
      else next.set(key, { base, text })
      setTyped(next)
    },
    isWrong: () => [...typed].some(isWrongIn),
    isDirty: typed.size > 0,
    edits: () => editsBetween(writer.read(over('base')), writer.read(over('text'))),
    clear: () => setTyped(new Map()),
  }
}

type Typed = Readonly<{ base: string; text: string }>

/** Indented by two spaces, as the field formats it. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
