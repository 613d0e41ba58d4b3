/** Saves a text as a file of the person's, as a browser saves what is downloaded. */
export const saveFile = (text: string, name: string, type: string): void => saveBlob(new Blob([text], { type }), name)

/** Saves what came as a file already. */
export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
