import './tools.css'
import { Button, Classes, H3 } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { useTranslation } from '../../../translation.ts'
import { ToolOutcome, type ToolResult } from './tool-outcome.tsx'

type ToolFormProps = Readonly<{
  title: string
  /** What it does; for who wonders whether to press the button. */
  hint: string
  verb: string
  isBusy: boolean
  /** The panel has changes that are not saved: what is stored is tried, so the button waits for them. */
  isUnsaved?: boolean
  result?: ToolResult | undefined
  onSubmit: () => void
  /** What it takes to know. */
  children?: ReactNode
}>

/** Something to try what is stored with, below the settings it is about; what came of it is told beneath. */
export function ToolForm({ title, hint, verb, isBusy, isUnsaved = false, result, onSubmit, children }: ToolFormProps) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button may stand at the lower edge of the window.
    if (result) place.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <Form className="setting-tool" isBusy={isBusy || isUnsaved} onSubmit={onSubmit}>
      <H3>{title}</H3>
      <p className={Classes.TEXT_MUTED}>{hint}</p>
      {children && <div className="setting-tool-fields">{children}</div>}
      <div className="setting-tool-foot">
        <Button type="submit" text={verb} loading={isBusy} disabled={isUnsaved} />
        {isUnsaved && <span className={Classes.TEXT_MUTED}>{t('settings.saveFirst')}</span>}
      </div>
      <div ref={place}>
        <ToolOutcome result={isBusy ? undefined : result} />
      </div>
    </Form>
  )
}
