import { Button, type ButtonProps } from '@blueprintjs/core'
import { useRef } from 'react'

type FileButtonProps = Omit<ButtonProps, 'onClick' | 'type'> &
  Readonly<{
    label: string
    /** Accepted file types, as in the `accept` attribute; all if undefined. */
    accept?: string
    onFile: (file: File) => void
  }>

/** A button that opens a file picker; the same file can be picked again after it was edited. */
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
