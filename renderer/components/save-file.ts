export const saveFile = (text: string, name: string, type: string): void => saveBlob(new Blob([text], { type }), name)

export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // By then, the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
