// Labels in the text formats of Prometheus.

export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(',');
}

/** The value of a label, escaped. */
export function labelValue(text: string): string {
  return /[\\\n"]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
    : text;
}
