import type { Plugin } from 'vite'

/** The condition under which Blueprint returns the focus after a dialog has faded out. */
const givesFocusBack = /(?<=if \()shouldReturnFocusOnClose && lastActiveElement instanceof HTMLElement(?=\))/

/** Changes to Blueprint during the console's build. */
export const blueprint: readonly Plugin[] = [
  {
    // If the user has moved the focus by then, it stays there; if it is lost, renderer/api/focus-management.ts restores
    // it.
    name: 'blueprint-dialog-focus',
    apply: 'build',
    transform: {
      filter: { id: /@blueprintjs\/core\/lib\/esm\/components\/overlay2\/overlay2\.js$/ },
      handler(source, id) {
        if (!givesFocusBack.test(source))
          this.error(`${id} does not have the condition that scripts/build/blueprint.ts changes`)
        const changed =
          'lastActiveElement instanceof HTMLElement && shouldReturnFocusOnClose && node?.contains(document.activeElement)'
        return { code: source.replace(givesFocusBack, changed), map: null }
      },
    },
  },
  {
    // Drops the names of all icons: the console imports icons as components. Saves 11 KB gzipped in the first view.
    name: 'blueprint-icon-names',
    apply: 'build',
    load: {
      filter: { id: /@blueprintjs\/icons\/lib\/esm\/generated\/16px\/blueprint-icons-16\.js$/ },
      handler: () => 'export const BlueprintIcons_16 = {}\nexport const BLUEPRINT_ICONS_16_CODEPOINTS = {}',
    },
  },
]
