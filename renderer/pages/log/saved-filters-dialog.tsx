import './saved-filters.css'
import { Button, Classes, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Trash } from '@blueprintjs/icons'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { currentUserId } from '../../api/session.ts'
import { useStored } from '../../api/stored.ts'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { addressOf, readAddress } from './log-address.ts'
import { isFiltered, type LogFilter } from './log-filter.ts'

type SavedFiltersDialogProps = Readonly<{
  filter: LogFilter
  onFilter: (filter: LogFilter) => void
  isOpen: boolean
  onClose: () => void
}>

/** Named filters of the usage log, stored in this browser per user; without a time range. */
export function SavedFiltersDialog({ filter, onFilter, isOpen, onClose }: SavedFiltersDialogProps) {
  const { t } = useTranslation()
  const { own, save, remove } = useSaved()
  return (
    <Dialog className="fits-window" title={t('log.saved')} isCloseButtonShown={false} isOpen={isOpen} onClose={onClose}>
      <DialogBody>
        {own.length === 0 && <p className={Classes.TEXT_MUTED}>{t('log.savedNone')}</p>}
        <ul className="saved-filters">
          {own.map(({ name, search }) => (
            <li key={name}>
              <Button
                variant="minimal"
                fill
                alignText="start"
                text={name}
                title={t('log.savedApply', { name })}
                onClick={() => {
                  const { start, end } = filter
                  onFilter({ ...readAddress(new URLSearchParams(search)).filter, start, end })
                  onClose()
                }}
              />
              <Button
                variant="minimal"
                icon={<Trash />}
                aria-label={t('log.savedRemove', { name })}
                title={t('log.savedRemove', { name })}
                onClick={() => remove(name)}
              />
            </li>
          ))}
        </ul>
        <SaveForm isFull={own.length >= MAX_SAVED} filter={filter} onSave={save} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}

type SaveFormProps = Readonly<{ filter: LogFilter; isFull: boolean; onSave: (saved: Saved) => void }>

/** Saving under an existing name replaces it. */
function SaveForm({ filter, isFull, onSave }: SaveFormProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles the submit to the forms around the dialog's button.
    event.stopPropagation()
    const name = typed.trim()
    const problem = problemOf(name)
    setError(problem)
    if (problem !== undefined) return
    onSave({ name, search: addressOf({ filter, sort: '', index: 0, size: undefined, open: [] }).toString() })
    setTyped('')
  }
  const problemOf = (name: string): string | undefined => {
    if (!isFiltered(filter)) return t('log.savedEmpty')
    if (name === '') return t('log.savedNeedsName')
    return isFull ? t('log.savedFull', { n: MAX_SAVED }) : undefined
  }
  return (
    <form onSubmit={submit}>
      <TextField
        label={t('log.savedName')}
        value={typed}
        onValue={setTyped}
        error={error}
        hint={t('log.savedHint')}
        maxLength={60}
        autoComplete="off"
      />
      <Button type="submit" intent="primary" text={t('log.save')} />
    </form>
  )
}

const MAX_SAVED = 20
const saved = z.object({ user: z.int(), name: z.string(), search: z.string() })
const allSaved = z.array(saved)
type Saved = Readonly<{ name: string; search: string }>

function useSaved() {
  const [stored = [], store] = useStored('saved-log-filters', allSaved)
  const user = currentUserId()
  const isOwn = (one: z.output<typeof saved>, name: string) => one.user === user && one.name === name
  const own = stored.filter((one) => one.user === user).sort((one, other) => one.name.localeCompare(other.name))
  return {
    own,
    save: ({ name, search }: Saved) => store([...stored.filter((one) => !isOwn(one, name)), { user, name, search }]),
    remove: (name: string) => store(stored.filter((one) => !isOwn(one, name))),
  }
}
