import { expect } from 'chai';
import {
  commandsOf,
  refusesTracking,
  toolFailure,
  variableRows,
  writableOf,
} from '../../../../workers/poller/session/tool-output.js';

const printed = (stderr: string, stdout = '') => ({
  stderr: Buffer.from(stderr),
  stdout: Buffer.from(stdout),
});

describe('the output of a NUT tool', () => {
  for (const [text, detail, code] of [
    [
      'Init SSL without certificate database\nError: Driver not connected\n',
      'DRIVER_NOT_CONNECTED',
      'DRIVER-NOT-CONNECTED',
    ],
    ['Init SSL without certificate database\nError: Data stale\n', 'DATA_STALE', 'DATA-STALE'],
    ['Error: Unknown UPS\n', 'UNKNOWN_UPS', 'UNKNOWN-UPS'],
    ['Error: Access denied\n', 'ACCESS_DENIED', 'ACCESS-DENIED'],
    ['Password: Unexpected response from upsd: ERR ACCESS-DENIED\n', 'ACCESS_DENIED', 'ACCESS-DENIED'],
    [
      'Password: Unexpected response from upsd: ERR CMD-NOT-SUPPORTED\n',
      'PROTOCOL_ERROR',
      'CMD-NOT-SUPPORTED',
    ],
    ['Error: Connection failure: Connection refused\n', 'SERVER_DOWN', null],
    ['Error: Connection failure: Connection timed out\n', 'TIMEOUT', null],
    ['Error: No such host\n', 'SERVER_DOWN', null],
    ['Error: Server disconnected\n', 'SERVER_DOWN', null],
    ["Can't receive status tracking information: timeout\n", 'TIMEOUT', null],
    ['Error: SSL error: bad certificate\n', 'TLS_FAILED', null],
    ['Error: Protocol error\n', 'PROTOCOL_ERROR', null],
    ['', 'PROTOCOL_ERROR', null],
  ] as const) {
    it(`${JSON.stringify(text.slice(-50))} means ${code ?? detail}`, () => {
      expect(toolFailure(printed(text)).failure).to.include({ detail, code });
    });
  }

  it('distinguishes rejected tracking from a rejected change', () => {
    const refusal = 'Enabling command status tracking failed. upsd answered: ERR FEATURE-NOT-CONFIGURED';
    expect(refusesTracking(printed(`Password: ${refusal}\n`))).to.equal(true);
    expect(refusesTracking(printed('Enabling set variable status tracking failed: x\n'))).to.equal(true);
    expect(refusesTracking(printed('Unexpected response from upsd: ERR READONLY\n'))).to.equal(false);
  });

  const usage = 'Network UPS Tools upscmd 2.7.4\n\nusage: upscmd [-h]\n       upscmd [-l <ups>]\n';
  for (const [libc, refusal] of [
    ['glibc', "/usr/bin/upscmd: invalid option -- 'w'"],
    ['an old glibc', 'upscmd: invalid option -- w'],
    ['glibc by POSIX', "upsrw: illegal option -- 'w'"],
    ['musl', '/usr/bin/upsrw: unrecognized option: w'],
    ['FreeBSD', 'upscmd: illegal option -- t'],
    ['OpenBSD', 'upscmd: unknown option -- w'],
  ] as const) {
    it(`shows that the program lacks tracking, with the getopt of ${libc}`, () => {
      expect(refusesTracking(printed(`${refusal}\n`, usage))).to.equal(true);
      expect(refusesTracking(printed('', `${refusal}\n${usage}`))).to.equal(true);
    });
  }

  it('shows missing tracking only when the program rejected that option and did nothing else', () => {
    const refusal = "upscmd: invalid option -- 'w'\n";
    expect(refusesTracking(printed(refusal))).to.equal(false);
    expect(refusesTracking(printed('', usage))).to.equal(false);
    expect(refusesTracking(printed("upscmd: invalid option -- 'u'\n", usage))).to.equal(false);
    expect(refusesTracking(printed(`Password: Unexpected response from upsd: usage: ${refusal}`))).to.equal(
      false,
    );
  });
});

describe('the listing of a NUT tool', () => {
  it('keeps colons and spaces of a value', () => {
    const text = 'ups.mfr: American Power: Conversion \nups.status: OL\nbattery.date: \nnonsense\n';
    expect(variableRows(Buffer.from(text))).to.deep.equal([
      ['ups.mfr', 'American Power: Conversion '],
      ['ups.status', 'OL'],
      ['battery.date', ''],
    ]);
  });

  it('has the names and descriptions of commands', () => {
    const text =
      'Instant commands supported on UPS [ups]:\n\nload.off - Turn off - now\nbeeper.mute - Mute\n';
    expect(commandsOf(Buffer.from(text))).to.deep.equal([
      { name: 'load.off', description: 'Turn off - now' },
      { name: 'beeper.mute', description: 'Mute' },
    ]);
  });

  it('has types, lengths, choices and ranges of writable variables, as the protocol does', () => {
    const text = [
      '[a.range]\nDescription unavailable\nType: RANGE NUMBER\nOption: "90-100" SELECTED\nOption: "102-105"\n',
      '[a.choice]\nSomething\nType: ENUM STRING\nMaximum length: 8\nOption: "a"\nOption: "b "q" c" SELECTED\n',
      '[a.text]\nSomething\nType: STRING\nMaximum length: 32\nValue: x\n',
      '[a.number]\nSomething\nType: NUMBER\nValue: 5\n',
      '[a.none]\nSomething\n',
    ].join('\n');
    expect(writableOf(Buffer.from(text))).to.deep.equal([
      {
        name: 'a.range',
        type: 'RANGE NUMBER',
        range: [
          { min: 90, max: 100 },
          { min: 102, max: 105 },
        ],
      },
      { name: 'a.choice', type: 'ENUM STRING:8', enum: ['a', 'b "q" c'] },
      { name: 'a.text', type: 'STRING:32' },
      { name: 'a.number', type: 'NUMBER' },
      { name: 'a.none', type: '' },
    ]);
  });
});
