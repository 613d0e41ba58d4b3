/** Texts of the playground, in English. */
export const playground = {
}
