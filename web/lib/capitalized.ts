export const capitalized = (text: string, language?: string) =>
  text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
