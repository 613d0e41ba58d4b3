/** For every tab: the arrow keys of Blueprint go through those alone that say they are not disabled. */
export const reachableTab = { disabled: false } as const
