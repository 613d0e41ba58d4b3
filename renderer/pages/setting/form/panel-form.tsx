import { Button, Classes } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { isOptionKey } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { focusAfter } from '../../../components/focus-after.ts'
import { Form } from '../../../components/form/form.tsx'
import { useTranslation } from '../../../translation.ts'
import { baseAfter, ConflictDialog, type Decision } from '../history/conflict-dialog.tsx'
import { OptionControl } from './option-control.tsx'
import type { OptionForm } from './use-option-form.ts'

type PanelFormProps = Readonly<{
  form: OptionForm
  panel: PanelName
  /** Identifies the form in its buttons' labels; the panel's name by default. */
  name?: string
  more?: ReactNode
  /** The fields; by default all settings of the panel in order. */
  children?: ReactNode
}>

/** A panel's form. The save button stays visible while there are unsaved changes, which guard navigation. */
export function PanelForm({ form, panel, name: own, more, children }: PanelFormProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { isSaving, changed, save, discard } = form
  const isDirty = changed.length > 0
  const name = own ?? t(`panel.${panel}`)
  const isContested = form.conflicts.length > 0
  const wasContested = useRef(false)
  useEffect(() => {
    // The dialog does not return the focus.
    if (wasContested.current && !isContested) requestAnimationFrame(() => focusWrong(box.current))
    wasContested.current = isContested
  }, [isContested])
  const submit = async () => {
    // The fields show the gateway's refusals by then.
    if (!(await save())) requestAnimationFrame(() => focusWrong(box.current))
  }
  return (
    <div ref={box}>
      <Form isBusy={isSaving} isDirty={isDirty} onSubmit={() => void submit()}>
        <div className="setting-fields">
          {children ?? form.keys.map((key) => <OptionControl key={key} {...form.bind(key)} />)}
        </div>
        <div className={isDirty ? 'setting-foot setting-foot-dirty' : 'setting-foot'}>
          <Button
            type="submit"
            intent={isDirty ? 'primary' : 'none'}
            text={t('label.save')}
            aria-label={t('settings.saveOf', { panel: name })}
            loading={isSaving}
          />
          {isDirty && (
            <Button
              variant="minimal"
              text={t('settings.discard')}
              aria-label={t('settings.discardOf', { panel: name })}
              disabled={isSaving}
              onClick={() => focusAfter(discard, () => box.current?.querySelector('.setting-foot [type=submit]'))}
            />
          )}
          {more}
          <span className={Classes.TEXT_MUTED} role="status">
            {isDirty && t('settings.unsaved', { n: changed.length })}
          </span>
        </div>
      </Form>
      {isContested && <Conflicts form={form} />}
    </div>
  )
}

/** Concurrent changes of other administrators, each of which needs a decision. */
function Conflicts({ form }: { form: OptionForm }) {
  const { conflicts, mine, isSaving, resolve, postpone } = form
  const decide = (decisions: ReadonlyMap<string, Decision>) => {
    const own = conflicts.filter(({ key }) => decisions.get(key) === 'mine')
    void resolve(new Map(own.flatMap((one) => (isOptionKey(one.key) ? [[one.key, baseAfter(one)] as const] : []))))
  }
  return <ConflictDialog conflicts={conflicts} mine={mine} isBusy={isSaving} onResolve={decide} onCancel={postpone} />
}

/** Focuses the first invalid field, unless a dialog has the focus. */
function focusWrong(box: HTMLElement | null): void {
  if (document.body.classList.contains(Classes.OVERLAY_OPEN)) return
  box?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
