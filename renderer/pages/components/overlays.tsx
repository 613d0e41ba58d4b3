import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { Section } from '../../components/side-drawer/section.tsx'
import { SideDrawer } from '../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess, showWarning } from '../../components/toasts.ts'

export function Overlays() {
  const [open, setOpen] = useState<'drawer' | 'question'>()
  const [text, setText] = useState('')
  const close = () => setOpen(undefined)
  return (
    <div className="components-line">
      <Button text="SideDrawer" onClick={() => setOpen('drawer')} />
      <Button text="Confirm" onClick={() => setOpen('question')} />
      <Button text="Toast of success" onClick={() => showSuccess('It is done')} />
      <Button text="Toast of warning" onClick={() => showWarning('It is done, but look')} />
      {open === 'drawer' && (
        <SideDrawer title="SideDrawer" isBusy={false} isDirty={text !== ''} onClose={close} onSubmit={close}>
          <Section title="First section">
            <TextField label="Change me" value={text} onValue={setText} />
          </Section>
          <Section title="Second section">
            <TextField label="Change me too" value={text} onValue={setText} />
          </Section>
        </SideDrawer>
      )}
      <Confirm
        isOpen={open === 'question'}
        question="Delete the apple?"
        verb="Delete"
        isBusy={false}
        onConfirm={close}
        onCancel={close}
      >
        It cannot be put back on the tree.
      </Confirm>
    </div>
  )
}
