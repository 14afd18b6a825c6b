// A line of the NUT protocol, cut into words byte by byte as upsd's parser cuts it. Knows nothing of commands. Its own beside that of the
// poller: a fault that both had would be found by no test.

/** NUT parseconf's limits: longer words lose their tail, further words are dropped; neither is an error there. */
const maxWordLength = 512;
const maxWords = 32;

/** The result of one byte: an incomplete line, a finished line, or a line that upsd drops without an answer. */
export type Progress = 'more' | 'line' | 'malformed';

type ParserState = 'between' | 'comment' | 'word' | 'wordEscape' | 'quoted' | 'quotedEscape';

const newline = 0x0a;
const quote = 0x22;
const hash = 0x23;
const equals = 0x3d;
const backslash = 0x5c;

/** One connection's reader. After `line` the words are in `words` until the next byte is pushed. */
export class WordParser {
  words: string[] = [];
  #word = '';
  #state: ParserState = 'between';
  #finished = false;

  push(byte: number): Progress {
    if (this.#finished) {
      this.words = [];
      this.#finished = false;
    }
    const progress = this.#step(byte);
    if (progress !== 'more') {
      this.#finished = true;
      this.#state = 'between';
    }
    return progress;
  }

  #step(byte: number): Progress {
    switch (this.#state) {
      case 'between':
        return this.#between(byte);
      case 'comment':
        return byte === newline ? 'line' : 'more';
      case 'word':
        return this.#inWord(byte);
      case 'wordEscape':
        // An escaped line break joins two lines into one.
        this.#state = 'word';
        this.#add(byte);
        return 'more';
      case 'quoted':
        return this.#inQuotes(byte);
      case 'quotedEscape':
        this.#state = 'quoted';
        this.#add(byte);
        return 'more';
    }
  }

  #between(byte: number): Progress {
    if (byte === newline) return 'line';
    if (byte === hash) this.#state = 'comment';
    else if (isSpace(byte)) this.#state = 'between';
    else if (byte === backslash) this.#state = 'wordEscape';
    else if (byte === quote) this.#state = 'quoted';
    else {
      this.#add(byte);
      if (byte === equals) this.#endWord();
      else this.#state = 'word';
    }
    return 'more';
  }

  #inWord(byte: number): Progress {
    if (byte === newline) {
      this.#endWord();
      return 'line';
    }
    if (byte === backslash) this.#state = 'wordEscape';
    else if (byte === hash) {
      this.#endWord();
      this.#state = 'comment';
    } else if (isSpace(byte)) this.#endWord();
    else if (byte === equals) {
      this.#endWord();
      this.#add(byte);
      this.#endWord();
    } else this.#add(byte);
    return 'more';
  }

  #inQuotes(byte: number): Progress {
    if (byte === hash) {
      this.#endWord();
      return 'malformed';
    }
    if (byte === quote) this.#endWord();
    else if (byte === backslash) this.#state = 'quotedEscape';
    else this.#add(byte);
    return 'more';
  }

  /** Only space to DEL is kept (CVE-2012-2944): a line break inside quotes, a tab or UTF-8 vanishes. */
  #add(byte: number): void {
    if (byte < 0x20 || byte > 0x7f || this.#word.length >= maxWordLength) return;
    this.#word += String.fromCharCode(byte);
  }

  #endWord(): void {
    if (this.words.length < maxWords) this.words.push(this.#word);
    this.#word = '';
    this.#state = 'between';
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
