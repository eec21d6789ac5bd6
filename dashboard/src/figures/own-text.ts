/** The text for a label, or the label: it comes from a visitor, and may be a property that all objects have. */
export function ownText(texts: Readonly<Record<string, string>>, label: string): string {
  return Object.hasOwn(texts, label) ? texts[label]! : label
}
