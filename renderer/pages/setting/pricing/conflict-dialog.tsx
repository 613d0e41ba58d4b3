import { Button, Classes, Dialog, DialogBody, DialogFooter, Radio, RadioGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { Form } from '../../../components/form/form.tsx'
import { useTranslation } from '../../../translation.ts'
import type { Conflict } from './three-way.ts'
import type { Saving } from './use-saving.ts'

type ConflictDialogProps<T> = Readonly<{
  saving: Saving<T>
  /** Describes an entry; undefined means that it is absent. */
  describe: (conflict: Conflict<T>, value: T | undefined) => string
  nameOf: (name: string) => string
  onSaved: () => void
}>

/** Entries changed concurrently: the stored value and the user's own, one of which must be chosen. */
export function ConflictDialog<T>(props: ConflictDialogProps<T>) {
  if (props.saving.conflicts.length === 0) return null
  return <Questions {...props} />
}

/**
 * Each entry needs a decision, made for it or for all at once; nothing is preselected, since either choice loses
 * something.
 */
function Questions<T>({ saving, describe, nameOf, onSaved }: ConflictDialogProps<T>) {
  const { t } = useTranslation()
  const { conflicts, isBusy } = saving
  const [choices, setChoices] = useState<ReadonlyMap<string, string>>(new Map())
  const isDecided = conflicts.every(({ name }) => choices.has(name))
  const all = (choice: string) => setChoices(new Map(conflicts.map(({ name }) => [name, choice])))
  const submit = async () => {
    if (!isDecided) return
    const theirs = conflicts.flatMap(({ name }) => (choices.get(name) === 'theirs' ? [name] : []))
    if (await saving.decide(new Set(theirs))) onSaved()
  }
  const close = () => !isBusy && saving.giveUp()
  return (
    <Dialog
      className="fits-window price-conflicts"
      title={t('priceEditor.conflict')}
      isCloseButtonShown={false}
      isOpen
      onClose={close}
    >
      <Form isBusy={isBusy} onSubmit={() => void submit()}>
        <DialogBody>
          <p>{t('priceEditor.conflictHint')}</p>
          {conflicts.length > 1 && (
            <div className="price-editor-line">
              <Button size="small" text={t('priceEditor.keepAllMine')} onClick={() => all('mine')} />
              <Button size="small" text={t('priceEditor.keepAllTheirs')} onClick={() => all('theirs')} />
            </div>
          )}
          {conflicts.map((conflict) => (
            <RadioGroup
              key={conflict.name}
              label={nameOf(conflict.name)}
              selectedValue={choices.get(conflict.name) ?? ''}
              onChange={({ currentTarget }) => setChoices(new Map(choices).set(conflict.name, currentTarget.value))}
            >
              <Radio value="theirs">
                {t('priceEditor.theirs')} <span className={Classes.TEXT_MUTED}>{describe(conflict, conflict.now)}</span>
              </Radio>
              <Radio value="mine">
                {t('priceEditor.mine')} <span className={Classes.TEXT_MUTED}>{describe(conflict, conflict.mine)}</span>
              </Radio>
            </RadioGroup>
          ))}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isBusy} onClick={close} />
              <Button type="submit" intent="primary" text={t('label.save')} disabled={!isDecided} loading={isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}
