import { expect } from 'chai';
import { problemsOf } from '../loading.js';

const messageOf = (text: string): string => {
  const [problem, ...more] = problemsOf(text);
  expect(more).to.deep.equal([]);
  expect(problem?.path).to.equal('');
  return problem?.message ?? '';
};

describe('a file that is not TOML', () => {
  for (const [what, text, message] of [
    [
      'a missing value',
      '[[ups]]\nname =\n',
      'line 2, column 7: the line ends too early; look for a missing value, or for a quote or bracket that is not closed',
    ],
    [
      'an open quote',
      '[[ups]]\nname = "office\n',
      'line 2, column 15: the line ends too early; look for a missing value, or for a quote or bracket that is not closed',
    ],
    [
      'text without quotes',
      '[[ups]]\nname = office\n',
      'line 2, column 8: "o" is not allowed here; a value is "text" in quotes, true or false, a number, ' +
        '[a list] or { a = "table" }, and each key has a line of its own',
    ],
    [
      'an open list',
      'a = [1,\n',
      'line 2, column 1: the file ends in the middle of something; look for a missing value, quote or bracket',
    ],
    [
      'a key that is given twice',
      '[triggers]\nconfirmations = 2\nconfirmations = 3\n',
      'line 3, column 1: "triggers.confirmations" is given twice; keep one of them',
    ],
    [
      'a table that is given twice',
      '[ups]\nname = "a"\n[ups]\nname = "b"\n',
      'line 3, column 1: "ups" is given twice; each UPS begins with [[ups]], in double brackets',
    ],
    ['an unknown escape', 'a = "\\q"', 'line 1, column 6: Invalid escape sequence'],
    [
      'a number beyond all bounds',
      'a = 99999999999999999999',
      'line 1, column 5: Integer literal is outside the 64-bit signed integer range required by TOML.',
    ],
  ] as const) {
    it(`is refused with the position of ${what} and advice`, () => {
      expect(messageOf(text)).to.equal(message);
    });
  }

  it('is refused when it nests too deeply', () => {
    expect(messageOf(`a = ${'['.repeat(100_000)}`)).to.match(/nesting depth/);
  });

  it('is refused without its content', () => {
    expect(messageOf('[nut_control]\npassword = hunter2hunter2\n')).to.not.include('unter');
  });
});

describe('unknown keys', () => {
  it('are all reported together, each with the nearest known key', () => {
    const text =
      '[[ups]]\nname = "a"\nchek_interval = 1\n[trigers]\n[api]\nprot = 1\n[api.auth]\nsesion_ttl = 1\n[mqtt]\nqqqqqqqq = 1';
    expect(problemsOf(text)).to.deep.equal([
      { path: 'trigers', message: 'unknown key; did you mean "triggers"?' },
      { path: 'ups[a].chek_interval', message: 'unknown key; did you mean "check_interval"?' },
      { path: 'api.prot', message: 'unknown key; did you mean "port"?' },
      { path: 'api.auth.sesion_ttl', message: 'unknown key; did you mean "session_ttl"?' },
      {
        path: 'mqtt.qqqqqqqq',
        message:
          'unknown key; known here: enabled, broker, username, password, topic_prefix, publish_interval, discovery, availability',
      },
    ]);
  });

  it('are reported together with the rules across fields', () => {
    const text = '[[ups]]\nname = "a"\nfoo = 1\n[[ups]]\nname = "a@localhost"\n[triggers]\nconfirmations = 0';
    expect(problemsOf(text).map(({ path }) => path)).to.deep.equal([
      'ups[a].foo',
      'triggers.confirmations',
      'ups[a@localhost].name',
    ]);
  });

  it('cannot change prototypes', () => {
    const text = '__proto__ = 1\nconstructor = 2\n[[ups]]\nname = "a"\n"__proto__" = 3\n"toString" = 4';
    expect(problemsOf(text).map(({ path }) => path)).to.deep.equal([
      '__proto__',
      'constructor',
      'ups[a].__proto__',
      'ups[a].toString',
    ]);
  });

  it('are quoted and shortened when they are not plain words', () => {
    const [problem] = problemsOf(`[[ups]]\nname = "a"\n"x\\u001b[31m${'y'.repeat(200)}" = 1`);
    expect(problem?.path).to.match(/^ups\[a\]\."x\\u001b\[31my{50,60}"$/);
  });

  it('are counted when there are too many', () => {
    const many = Array.from({ length: 1000 }, (_, i) => `nothing_${String(i)} = 1`).join('\n');
    const problems = problemsOf(`${many}\n[[ups]]\nname = "a"`);
    expect(problems.length).to.equal(201);
    expect(problems.at(-1)?.message).to.equal('and 800 more problems; correct these first');
  });
});
