import './tools.css'
import { Button, Classes, H3 } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { useTranslation } from '../../../translation.ts'
import { ToolOutcome, type ToolResult } from './tool-outcome.tsx'

type ToolFormProps = Readonly<{
  title: string
  hint: string
  verb: string
  isBusy: boolean
  /** The panel has unsaved changes. The test uses stored values, so the button is disabled. */
  isUnsaved?: boolean
  result?: ToolResult | undefined
  onSubmit: () => void
  children?: ReactNode
}>

/** A test of the stored settings above; its result is shown below the form. */
export function ToolForm({ title, hint, verb, isBusy, isUnsaved = false, result, onSubmit, children }: ToolFormProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button may be at the window's lower edge.
    if (result) box.current?.scrollIntoView({ block: 'nearest' })
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
      <div ref={box}>
        <ToolOutcome result={isBusy ? undefined : result} />
      </div>
    </Form>
  )
}
