declare module 'subset-font' {
  /** Keeps the letters of `text`. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2'
      keepFeatures: string[]
      noHinting: boolean
      variationAxes: Record<string, number | { min: number; max: number }>
    },
  ): Promise<Buffer>
}
