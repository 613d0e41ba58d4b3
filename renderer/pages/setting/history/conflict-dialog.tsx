import './conflict-dialog.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter, Radio, RadioGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { OptionConflict } from '../../../../shared/api/option.ts'
import { isOptionKey, options } from '../../../../shared/options/index.ts'
import { useTranslation } from '../../../translation.ts'
import { useStampText } from './stamp-text.ts'
import { useOptionName } from './use-option-name.ts'
import { ValueChange } from './value-change.tsx'

export type Decision = 'mine' | 'theirs'

type ConflictDialogProps = Readonly<{
  /** Concurrent changes by others: `conflictsIn` of the save's failure. */
  conflicts: readonly OptionConflict[]
  /** The user's input in stored form, by key; any text for a secret. */
  mine: ReadonlyMap<string, string>
  isBusy?: boolean
  /**
   * Called with the decision for each conflict, by key. For `mine` the caller saves again, over the conflict's
   * `baseAfter`; for `theirs` it discards the input.
   */
  onResolve: (decisions: ReadonlyMap<string, Decision>) => void
  onCancel: () => void
}>

/**
 * The base of a save that deliberately replaces another administrator's value
 * (docs/reference/options.md#concurrent-edits).
 */
export const baseAfter = ({ key, value, changed_at: at }: OptionConflict): string =>
  isSecret(key) ? String(at) : value

/**
 * Settings that others have changed since they were loaded: shows each stored value, with its author and time, next to
 * the input; the user chooses one of the two. Mount it to open it.
 */
export function ConflictDialog({ conflicts, mine, isBusy = false, onResolve, onCancel }: ConflictDialogProps) {
  const { t } = useTranslation()
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map())
  const decide = (keys: readonly string[], which: Decision) =>
    setDecisions((before) => new Map([...before, ...keys.map((key) => [key, which] as const)]))
  const all = conflicts.map(({ key }) => key)
  const left = all.filter((key) => !decisions.has(key)).length
  const actions = (
    <>
      <Button text={t('conflict.back')} disabled={isBusy} onClick={onCancel} />
      <Button
        intent="primary"
        text={t('conflict.apply')}
        disabled={left > 0}
        loading={isBusy}
        onClick={() => onResolve(decisions)}
      />
    </>
  )
  return (
    <Dialog
      className="conflict-dialog fits-window"
      title={t('conflict.title')}
      isOpen
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      onClose={onCancel}
    >
      <DialogBody>
        <p>{t('conflict.hint')}</p>
        {all.length > 1 && (
          <div className="conflict-all">
            <Button size="small" text={t('conflict.allMine')} onClick={() => decide(all, 'mine')} />
            <Button size="small" text={t('conflict.allTheirs')} onClick={() => decide(all, 'theirs')} />
          </div>
        )}
        {conflicts.map((conflict) => (
          <ConflictChoice
            key={conflict.key}
            conflict={conflict}
            mine={mine.get(conflict.key) ?? ''}
            decision={decisions.get(conflict.key)}
            onDecide={(which) => decide([conflict.key], which)}
          />
        ))}
      </DialogBody>
      <DialogFooter actions={actions}>
        <span className={Classes.TEXT_MUTED} role="status">
          {left > 0 && t('conflict.left', { n: left })}
        </span>
      </DialogFooter>
    </Dialog>
  )
}

type ConflictChoiceProps = Readonly<{
  conflict: OptionConflict
  mine: string
  decision: Decision | undefined
  onDecide: (decision: Decision) => void
}>

function ConflictChoice({ conflict, mine, decision, onDecide }: ConflictChoiceProps) {
  const { t } = useTranslation()
  const nameOf = useOptionName()
  const stamp = useStampText()
  const id = useId()
  const { key, value } = conflict
  const choose = (which: string) => onDecide(which === 'mine' ? 'mine' : 'theirs')
  return (
    <section className="conflict" aria-labelledby={id}>
      <h3 id={id} className={`conflict-name ${Classes.HEADING}`}>
        {nameOf(key)}
      </h3>
      <p className={Classes.TEXT_MUTED}>{t('conflict.changed', { stamp: stamp(conflict) })}</p>
      {isSecret(key) ? (
        <p>{t('conflict.secret')}</p>
      ) : (
        <ValueChange option={key} before={value} after={mine} heads={[t('conflict.theirs'), t('conflict.mine')]} />
      )}
      <RadioGroup
        className="conflict-choice"
        inline
        aria-labelledby={id}
        name={id}
        {...(decision && { selectedValue: decision })}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <Radio value="theirs" label={t('conflict.keepTheirs')} />
        <Radio value="mine" label={t('conflict.keepMine')} />
      </RadioGroup>
    </section>
  )
}

const isSecret = (key: string): boolean => isOptionKey(key) && options[key].secret === true
