import { Button, Callout, Classes } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { type ReactNode, useId } from 'react'
import type { KeptCallView } from '../../../../shared/api/kept-bodies.ts'
import { useCopy } from '../../../components/copy-text/use-copy.tsx'
import { useTranslation } from '../../../translation.ts'

type BodyViewProps = Readonly<{
  title: string
  body: KeptCallView['request']
  copyLabel: string
  children?: ReactNode
}>

/** Pretty-printed body with a copy button, or why it is missing. */
export function BodyView({ title, body: { state, text }, copyLabel, children }: BodyViewProps) {
  const { t } = useTranslation()
  const id = useId()
  const { copy, dialog } = useCopy()
  return (
    <section className="log-body" aria-labelledby={id}>
      <div className="log-body-head">
        <h3 id={id}>{title}</h3>
        {text !== '' && (
          <Button
            size="small"
            variant="minimal"
            icon={<Duplicate />}
            aria-label={copyLabel}
            title={copyLabel}
            onClick={() => copy(text, title)}
          />
        )}
        {dialog}
      </div>
      {children}
      {state !== 'whole' && (
        <Callout compact intent={state === 'cut' ? 'warning' : 'none'}>
          {t(`log.bodies.${state}`)}
        </Callout>
      )}
      {state === 'whole' && text === '' && <p className={Classes.TEXT_MUTED}>{t('log.bodiesEmpty')}</p>}
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long bodies must scroll by keyboard
        <pre className={`log-body-text ${Classes.CODE_BLOCK}`} tabIndex={0}>
          {pretty(text)}
        </pre>
      )}
    </section>
  )
}

/** Indents JSON; returns other text unchanged. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
