// Whether sudo runs a command without a password, as lines of a shell. Nothing is run.
import { quoteWord } from '../../shared/domain/commands/shell-words.js';

/**
 * `sudo -l COMMAND` is content with a rule that asks for a password, where any other rule has NOPASSWD (listpw). The list tells: of the rules
 * that match, the last one counts. Only ALL without NOPASSWD is taken for one that asks; what may be a NOPASSWD rule of this command is one.
 */
export const asksPassword = `asks_password() {
  [ "$(id -u)" != 0 ] || return 1
  _path=\${1%% *}
  _asks=$(LC_ALL=C sudo -n -l 2>/dev/null | {
    _name=\${_path##*/}\${1#"$_path"} _asks=no
    while IFS= read -r _rule; do
      case $_rule in
        (*'!authenticate'*|*noninteractive_auth*|*exempt_group*) _asks=no; break ;;
        ('    ('*root*') '*|'    ('*ALL*') '*) ;;
        (*) continue ;;
      esac
      _rest=\${_rule#*) } _tag=PASSWD
      while [ -n "$_rest" ]; do
        _one=\${_rest%%, *}
        case $_rest in (*', '*) _rest=\${_rest#*, } ;; (*) _rest= ;; esac
        while :; do
          _word=\${_one%%: *}
          case $_word in ("$_one") break ;; (*NOPASSWD) _tag=NOPASSWD ;; (*PASSWD) _tag=PASSWD ;; (*[!A-Z_]*) break ;; esac
          _one=\${_one#*: }
        done
        case "$_tag $_one" in ('PASSWD ALL') _asks=yes ;; (PASSWD*) continue ;; esac
        [ "$_tag" = NOPASSWD ] || continue
        _file=\${_one%% *}
        case $_one in (*' '*) _with=" \${_one#* }" ;; (*) _with= ;; esac
        [ "$_with" != ' ""' ] || _with=
        case $_file in (ALL|*/|^*|sha*) _asks=no; continue ;; esac
        case $_name in (\${_file##*/}$_with) _asks=no ;; (\${_file##*/}' '*) [ -n "$_with" ] || _asks=no ;; esac
      done
    done
    echo "$_asks"
  })
  [ "$_asks" = yes ]
}`;

/**
 * After `asksPassword`. With the last words of sudo, such as of a tty that it requires, but for those that say the same. A sudo that knows no
 * list, as the one that calls doas, tells nothing.
 */
export const requireSudo = (words: string, shown: string): string =>
  `if said=$(sudo -n -l ${words} 2>&1); then
  said=$(printf '%s\\n' "$said" | tail -n 1)
  if [ -n "$said" ] && asks_password "$said"; then said='the last rule that matches has no NOPASSWD (sudo -l)'; else said=ok; fi
else
  case $said in (*"nvalid option"*|*"nrecognized option"*|*"llegal option"*) said=ok ;; (*"password is required"*) said= ;; esac
  said=$(printf '%s\\n' "$said" | tail -n 1)
fi
[ "$said" = ok ] || { printf '%s%s\\n' ${quoteWord(`sudo does not let this user run "${shown}" without a password`)} "\${said:+: $said}"; finish 1; }`;
