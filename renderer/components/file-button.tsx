import { Button, type ButtonProps } from '@blueprintjs/core'
import { useRef } from 'react'

type FileButtonProps = Omit<ButtonProps, 'onClick' | 'type'> &
  Readonly<{
    /** What the hidden field is called. */
    label: string
    /** The kinds of files that are offered, as the field takes them; all without. */
    accept?: string
    onFile: (file: File) => void
  }>

/** A button that asks for a file; one that was mended meanwhile can be chosen once more. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        {...(accept && { accept })}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) onFile(file)
          currentTarget.value = ''
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  )
}
