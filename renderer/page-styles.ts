import address from './blueprint-of-pages.css?url'

/**
 * Loads the styles that the first view does without, unless that has been done. They stand right behind the first style
 * sheet, so that those of pages still come after.
 */
export function loadPageStyles(): Promise<void> {
  loaded ??= new Promise<void>((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address, crossOrigin: '' })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      loaded = undefined
      link.remove()
      reject(new TypeError(`${address} could not be loaded`))
    })
    const first = document.head.querySelector('link[rel=stylesheet], style')
    if (first) first.after(link)
    else document.head.append(link)
  })
  return loaded
}

let loaded: Promise<void> | undefined
