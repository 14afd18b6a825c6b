import { expect } from 'chai';
import fc from 'fast-check';
import {
  fillTemplate,
  templateNames,
  unknownPlaceholder,
} from '../../../../shared/domain/base/message-template.js';

const values = {
  host: 'nas01',
  event: 'ON_BATTERY',
  headline: 'On battery',
  ups: 'office@localhost',
  label: 'Office',
  text: 'Office is on battery.',
  time: 'now',
};

describe('a template of a message', () => {
  it('is filled with the values of the message', () => {
    expect(fillTemplate('[{host}] {headline}: {label} ({ups}, {event})', values)).to.equal(
      '[nas01] On battery: Office (office@localhost, ON_BATTERY)',
    );
  });

  it('leaves all other braces as they are', () => {
    expect(fillTemplate('{"a": {}} {{host}} {1} ${text', values)).to.equal('{"a": {}} {nas01} {1} ${text');
  });

  it('never reads a value as a template', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...templateNames), (value, name) => {
        const hostile = `${value}{host}$&$1{text}`;
        expect(fillTemplate(`<{${name}}>`, { ...values, [name]: hostile })).to.equal(`<${hostile}>`);
      }),
    );
  });

  it('has no placeholder without a value', () => {
    expect(unknownPlaceholder('{host} {Text}')).to.equal('Text');
    expect(unknownPlaceholder('{constructor}')).to.equal('constructor');
    expect(unknownPlaceholder('{host} { text } {}')).to.equal(undefined);
  });
});
