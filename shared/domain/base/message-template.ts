// Templates of titles and texts of messages: {name} is replaced by a value, once and literally. A value is never read as a
// template.

/** The names that a template may contain (docs/notifications.md#templates). */
export const templateNames = ['host', 'event', 'headline', 'ups', 'label', 'text', 'time'] as const;
export type TemplateValues = Readonly<Record<(typeof templateNames)[number], string>>;

const placeholder = /\{([A-Za-z_]+)\}/g;

/** The first placeholder of `template` that has no value; undefined when it is valid. */
export function unknownPlaceholder(template: string): string | undefined {
  const names: readonly string[] = templateNames;
  return [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .find((name) => !names.includes(name));
}

export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof TemplateValues] : whole,
  );
}
