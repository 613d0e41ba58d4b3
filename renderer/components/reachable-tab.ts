/** For every tab: Blueprint's arrow keys skip tabs without an explicit `disabled: false`. */
export const reachableTab = { disabled: false } as const
