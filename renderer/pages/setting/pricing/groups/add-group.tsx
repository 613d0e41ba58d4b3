import { Button, InputGroup } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../../../../translation.ts'
import { type GroupDraft, nameProblem } from './group-draft.ts'

type AddGroupProps = Readonly<{ draft: GroupDraft; onAdd: (name: string) => void }>

export function AddGroup({ draft, onAdd }: AddGroupProps) {
  const { t } = useTranslation()
  const id = useId()
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const problem = isChecked ? nameProblem(name, draft) : undefined
  const add = (event: FormEvent) => {
    event.preventDefault()
    const isWrong = nameProblem(name, draft) !== undefined
    setChecked(isWrong)
    if (isWrong) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <form onSubmit={add}>
      <div className="group-editor-add">
        <InputGroup
          aria-label={t('groupEditor.newName')}
          placeholder={t('groupEditor.newName')}
          autoComplete="off"
          maxLength={64}
          value={name}
          onValueChange={setName}
          intent={problem ? 'danger' : 'none'}
          aria-invalid={problem !== undefined}
          aria-describedby={problem && id}
        />
        <Button type="submit" icon={<Plus />} text={t('groupEditor.add')} />
      </div>
      {problem && (
        <div id={id} className="group-editor-problem">
          {t(problem)}
        </div>
      )}
    </form>
  )
}
