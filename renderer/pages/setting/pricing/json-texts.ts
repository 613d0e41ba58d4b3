import { useMemo, useState } from 'react'
import type { OptionKey } from '../../../../shared/options/index.ts'
import { problemIn } from '../../../components/json-field/json-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { problemOf } from './json-place.ts'
import type { OptionTexts, Writer } from './option-texts.ts'
import { type Edits, editsBetween } from './three-way.ts'

/** Options that are changed as texts of JSON: what is shown, what is wrong with it, and the edits it comes to. */
type JsonTexts<T> = Readonly<{
  shown(key: OptionKey): string
  type(key: OptionKey, text: string): void
  /** What is wrong with a text that can be read as JSON, with its line and column. */
  problem(key: OptionKey, text: string): string | undefined
  /** Whether any text is wrong; asked before saving, since long texts take a while. */
  isWrong(): boolean
  isDirty: boolean
  edits(): Edits<T>
  clear(): void
}>

/** The options of a writer as texts; what is typed stays over what is stored, and remembers over which text it was typed. */
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

/** What was typed, and the stored text that it was typed over. */
type Typed = Readonly<{ base: string; text: string }>

/** With two spaces a level, as the field tidies it. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
