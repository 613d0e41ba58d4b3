import { createContext, useContext } from 'react'

/** Opens the command palette; the palette's host provides it. */
export const PaletteContext = createContext<() => void>(() => {})

export const useOpenPalette = (): (() => void) => useContext(PaletteContext)
