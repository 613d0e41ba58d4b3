/** Texts of the channels, in English. */
export const channel = {
}
