/** `language`: of the text. */
export const capitalized = (text: string, language = 'en') =>
  text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
