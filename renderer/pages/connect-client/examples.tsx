import { Card, HTMLSelect, Tab, Tabs } from '@blueprintjs/core'
import { type JSX, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../components/use-narrow.ts'
import { Code } from './code.tsx'
import { EnteredValues } from './entered-values.tsx'
import { programs, type Snippet, type Target } from './snippets.ts'

type ExamplesProps = Readonly<{
  target: Target
  /** Enough of the key to know it by; the whole of it is only copied. */
  maskedKey: string
}>

/** A program's place among the tabs. */
type Choice = Readonly<{ id: string; title: string; panel: JSX.Element }>

/** One tab a program: code that runs as it stands, or the values to be entered. A phone has a list instead of tabs. */
export function Examples(props: ExamplesProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const choices = useChoices(props)
  const [first] = choices
  const [id, choose] = useState(first?.id ?? '')
  if (isNarrow)
    return (
      <Card className="examples">
        <HTMLSelect
          fill
          aria-label={t('client.snippets')}
          value={id}
          options={choices.map(({ id: value, title: label }) => ({ value, label }))}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        {choices.find((choice) => choice.id === id)?.panel}
      </Card>
    )
  return (
    <Card className="examples">
      <Tabs
        id="examples"
        aria-label={t('client.snippets')}
        renderActiveTabPanelOnly
        selectedTabId={id}
        onChange={(next) => choose(String(next))}
      >
        {choices.map((choice) => (
          <Tab key={choice.id} {...choice} />
        ))}
      </Tabs>
    </Card>
  )
}

/** Programs with examples, then those with a form. The language that was chosen for one SDK is that of all. */
function useChoices({ target, maskedKey }: ExamplesProps): readonly Choice[] {
  const { t } = useTranslation()
  const [dialect, speak] = useState<string>()
  const coded = ([program, written]: readonly [string, readonly Snippet[]]): Choice => ({
    id: program.toLowerCase().replaceAll(' ', '-'),
    title: program,
    panel: <Code written={written} dialect={dialect} onDialect={speak} target={target} maskedKey={maskedKey} />,
  })
  const entered = (id: string, title: string, hint: string): Choice => ({
    id,
    title,
    panel: <EnteredValues hint={hint} target={target} maskedKey={maskedKey} />,
  })
  return [
    ...[...programs].map(coded),
    entered('cherry', 'Cherry Studio', t('client.cherryHint')),
    entered('other', t('client.other'), t('client.otherHint')),
  ]
}
